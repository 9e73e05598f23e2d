/** Says how far an attempt is. @param total where it is known */
export type Progress = (done: number, total?: number) => void;

const shortestGapMs = 1_000;
/** Of a long attempt fewer and fewer are told, as an attempt has a bounded number of lines: some 400 in a day. */
const gapsOfElapsed = 50;

/**
 * Progress as lines of the attempt's log, for the list of lines and the stream: message `progress`, fields `{done, total}`.
 * The first is told, then at most one a second, and the one that reaches the total.
 * @param now monotonic milliseconds
 */
export function progressLines(
  tell: (message: string, fields: Readonly<Record<string, unknown>>) => void,
  now: () => number,
): Progress {
  const began = now();
  let next = began;
  let ended = false;
  return (done, total) => {
    const at = now();
    const ends = total !== undefined && done >= total;
    if (ended || (at < next && !ends)) return;
    ended = ends;
    next = at + Math.max(shortestGapMs, (at - began) / gapsOfElapsed);
    tell('progress', { done, ...(total === undefined ? {} : { total }) });
  };
}
