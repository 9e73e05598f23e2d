/**
 * How many of the next tasks may be claimed: all destinations that they call must have room. Pure; counted and read under
 * the rows of the destinations, so that what is decided here holds until the claim commits (I9).
 */
import { chargeRate, hasRateRoom, rateRoom, rateWaitMs, type Rate, type RateState } from './rate.js';

/** Which limit of a destination holds a task back. */
export type Cause = 'concurrency' | 'rate' | 'throttle' | 'breaker';

/** What a destination allows now, and what it has. */
export interface DestinationLimits {
  /** Calls at once that are in force now; null: any number. */
  readonly limit: number | null;
  readonly held: number;
  readonly throttledForMs: number;
  readonly openForMs: number;
  readonly rate: Rate | null;
  readonly rateState: RateState;
  /** Milliseconds of the database's clock. */
  readonly now: number;
}

export interface Fit {
  /** How many of the first tasks fit. */
  readonly count: number;
  /** What holds the next one; null: nothing does. */
  readonly by: { readonly position: number; readonly cause: Cause; readonly waitMs: number | null } | null;
}

/**
 * @param most tasks there are
 * @param costOf units that a task (from 0) costs at the limit of a position
 */
export function fitting(
  limits: readonly DestinationLimits[],
  most: number,
  costOf: (task: number, position: number) => number,
): Fit {
  let fit: Fit = { count: most, by: null };
  limits.forEach((one, position) => {
    const { count, cause, waitMs } = fittingOne(one, fit.count, (task) => costOf(task, position));
    if (cause !== null) fit = { count, by: { position, cause, waitMs } };
  });
  return fit;
}

interface FitOfOne {
  readonly count: number;
  readonly cause: Cause | null;
  readonly waitMs: number | null;
}

function fittingOne(d: DestinationLimits, most: number, costOf: (task: number) => number): FitOfOne {
  if (d.openForMs > 0) return { count: 0, cause: 'breaker', waitMs: d.openForMs };
  if (d.throttledForMs > 0) return { count: 0, cause: 'throttle', waitMs: d.throttledForMs };
  const places = d.limit === null ? most : Math.min(most, Math.max(0, d.limit - d.held));
  const free: FitOfOne = { count: places, cause: places < most ? 'concurrency' : null, waitMs: null };
  return d.rate === null ? free : withinRate(d.rate, d, free, costOf);
}

function withinRate(rate: Rate, d: DestinationLimits, free: FitOfOne, costOf: (task: number) => number): FitOfOne {
  const room = rateRoom(rate, d.rateState, d.now);
  let units = 0;
  for (let task = 0; task < free.count; task++) {
    const cost = costOf(task);
    if (!hasRateRoom(rate, room, units + cost)) {
      const after = units === 0 ? d.rateState : chargeRate(rate, d.rateState, d.now, units, 0);
      return { count: task, cause: 'rate', waitMs: rateWaitMs(rate, after, d.now, cost) };
    }
    units += cost;
  }
  return free;
}
