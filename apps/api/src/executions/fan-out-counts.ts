import type { FanOutCounts } from '@app/persistence';

export interface ChildCounts {
  readonly pending: number;
  readonly ready: number;
  readonly running: number;
  readonly paused: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
}

/**
 * Children by state. Settled ones are counted by the tally; of the others, pending are those that the admission cursor has
 * not reached and those that come back, ready those that are handed out, running the rest. The parts are read at
 * moments that may differ a little, so each is held to what is left: all are at least 0, and they sum to `spawned`.
 */
export function childCounts(counts: FanOutCounts): ChildCounts {
  let left = counts.spawned;
  const take = (wanted: number): number => {
    const taken = Math.max(0, Math.min(left, wanted));
    left -= taken;
    return taken;
  };
  const succeeded = take(counts.succeeded);
  const failed = take(counts.failed);
  const cancelled = take(counts.cancelled);
  const paused = take(counts.paused);
  const pending = take(counts.spawned - counts.admitCursor + counts.comingBack);
  const ready = take(counts.handedOut);
  return { pending, ready, running: left, paused, succeeded, failed, cancelled };
}

export function openCount(counts: Pick<FanOutCounts, 'spawned' | 'succeeded' | 'failed' | 'cancelled'>): number {
  return Math.max(0, counts.spawned - counts.succeeded - counts.failed - counts.cancelled);
}
