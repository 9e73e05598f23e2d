import type { ExecutionState } from '../transition-table.js';

/** Counts of a fan-out's settled children; each child is in at most one of them. */
export interface Tally {
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
}

export const emptyTally: Tally = { succeeded: 0, failed: 0, cancelled: 0 };

/** How many children have settled. */
export function settledCount(tally: Tally): number {
  return tally.succeeded + tally.failed + tally.cancelled;
}

/**
 * The tally after one child moved between states. It follows the move, never the message that reports it, so a
 * settlement that moves no state moves no count (I4).
 */
export function moveTally(tally: Tally, from: ExecutionState, to: ExecutionState): Tally {
  const moved = { ...tally };
  if (isCounted(from)) moved[from]--;
  if (isCounted(to)) moved[to]++;
  return moved;
}

function isCounted(state: ExecutionState): state is keyof Tally {
  return state === 'succeeded' || state === 'failed' || state === 'cancelled';
}
