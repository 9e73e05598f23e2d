import { startGraceMs } from '@app/domain';
import type { DestinationInForce } from '@app/persistence';

/**
 * Until when tasks may begin that count against rates from the moment their rows were locked.
 * @param askedAt monotonic milliseconds before the lock was asked for; how long it was waited for, the database says
 * @param laterMs they were counted as starting so much later
 */
export function startByOf(destinations: readonly DestinationInForce[], askedAt: number, laterMs = 0): number | null {
  const rated = destinations.filter((d) => d.rate !== null);
  if (rated.length === 0) return null;
  return askedAt + laterMs + Math.min(...rated.map((d) => d.waitedMs + startGraceMs(d.rate!)));
}
