/** What becomes of occurrences that fell due while nobody was there to start them. */
export const missedPolicies = ['SKIP', 'RUN_ONCE', 'RUN_ALL'] as const;
export type MissedPolicy = (typeof missedPolicies)[number];

/** An occurrence that is later than this was missed; one that is not is only late. */
export const missedAfterMs = 60_000;

/** Occurrences of a schedule that may wait at once; further ones are skipped. */
export const mostWaiting = 100;

export interface ChosenOccurrences {
  readonly run: readonly Date[];
  readonly skipped: number;
}

/**
 * Which of the occurrences that are due are run.
 * @param due oldest first
 * @param limit of those that were missed, with `RUN_ALL`; the newest are taken
 * @param room how many may still wait
 */
export function chosenOccurrences(
  due: readonly Date[],
  now: Date,
  policy: MissedPolicy,
  limit: number,
  room: number,
): ChosenOccurrences {
  const since = now.getTime() - missedAfterMs;
  const missed = due.filter((at) => at.getTime() < since);
  const most = { SKIP: 0, RUN_ONCE: 1, RUN_ALL: limit }[policy];
  const wanted = [...missed.slice(Math.max(0, missed.length - most)), ...due.slice(missed.length)];
  const run = wanted.slice(0, Math.max(0, room));
  return { run, skipped: due.length - run.length };
}
