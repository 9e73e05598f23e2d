/** What becomes of an occurrence of a schedule while an execution it started earlier is open. */
export const overlapPolicies = ['SKIP', 'QUEUE', 'CANCEL_PREVIOUS'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

export interface NextRun {
  /** The occurrence that is started now. */
  readonly start: Date | null;
  /** Occurrences that are never started. */
  readonly drop: readonly Date[];
  /** What is open is to be cancelled; the one that waits starts once that is so. */
  readonly cancel: boolean;
}

/**
 * Which occurrence starts next, so that never more than one execution of a schedule is open.
 * @param waiting oldest first
 */
export function nextRun(overlap: OverlapPolicy, isOpen: boolean, waiting: readonly Date[]): NextRun {
  const [first, ...others] = waiting;
  const newest = waiting.at(-1);
  if (first === undefined || newest === undefined) return { start: null, drop: [], cancel: false };
  switch (overlap) {
    case 'SKIP':
      return isOpen ? { start: null, drop: waiting, cancel: false } : { start: first, drop: others, cancel: false };
    case 'QUEUE':
      return { start: isOpen ? null : first, drop: [], cancel: false };
    case 'CANCEL_PREVIOUS':
      return { start: isOpen ? null : newest, drop: waiting.slice(0, -1), cancel: isOpen };
  }
}
