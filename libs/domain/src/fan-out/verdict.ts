/**
 * The verdict on a fan-out: a pure function of its counts, decided once per round (I5).
 *
 * A failure of a kind that is not listed is not tolerated at all. Those of the kinds listed count together, and either
 * limit exceeded fails: more than `maxFailureCount`, or more than `maxFailureRatio` of the *total* (not of what has
 * settled so far), in exact arithmetic. Listed kinds without a limit: any number. Nothing is 0 of 0: it has passed.
 *
 * The verdict is final when the fan-out is sealed and every child has settled. With fail-fast it may come as soon as the
 * tolerance is certainly exceeded: counts only grow within a round, so what is exceeded stays exceeded; only a ratio above
 * 0 has to know the total for that.
 */
import type { FailureTolerance } from '../pipeline/plan.js';
import { exceedsRatio, parseRatio } from './ratio.js';
import { settledCount, type Tally } from './tally.js';

export interface FanOutCounts {
  /** Planned children; null while the source has not told. */
  readonly total: number | null;
  /** The item source has ended. */
  readonly sealed: boolean;
  readonly spawned: number;
  readonly tally: Tally;
  readonly tolerance: FailureTolerance;
  readonly failFast: boolean;
}

export interface VerdictReason {
  readonly total: number | null;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly limit: 'KIND_NOT_TOLERATED' | 'MAX_FAILURE_COUNT' | 'MAX_FAILURE_RATIO';
  /** The limit as it was written; null for a kind that is not tolerated. */
  readonly allowed: number | string | null;
  readonly message: string;
}

export type Verdict =
  | { readonly verdict: 'open' }
  | { readonly verdict: 'passed' }
  /** `early`: by fail-fast, while children are open or not spawned. */
  | { readonly verdict: 'failed'; readonly early: boolean; readonly reason: VerdictReason };

export function decideVerdict(counts: FanOutCounts): Verdict {
  const isFinal = counts.sealed && settledCount(counts.tally) >= counts.spawned;
  if (!isFinal && !counts.failFast) return { verdict: 'open' };
  const reason = exceeded(counts);
  if (reason) return { verdict: 'failed', early: !isFinal, reason };
  return { verdict: isFinal ? 'passed' : 'open' };
}

/** Why the tolerance is certainly exceeded by what has settled, or null. */
function exceeded(counts: FanOutCounts): VerdictReason | null {
  const { tally, tolerance } = counts;
  const total = counts.total ?? (counts.sealed ? counts.spawned : null);
  const facts = { total, ...tally };
  const failed = describe(tally.failed, 'failed');
  const cancelled = describe(tally.cancelled, 'were cancelled');
  const refuse = (limit: VerdictReason['limit'], allowed: number | string | null, message: string): VerdictReason => ({
    ...facts,
    limit,
    allowed,
    message,
  });
  if (tally.failed > 0 && !tolerance.kinds.includes('FAILED'))
    return refuse('KIND_NOT_TOLERATED', null, `${failed}; FAILED is not tolerated`);
  if (tally.cancelled > 0 && !tolerance.kinds.includes('CANCELLED'))
    return refuse('KIND_NOT_TOLERATED', null, `${cancelled}; CANCELLED is not tolerated`);
  const count = tally.failed + tally.cancelled;
  const told = tally.cancelled === 0 ? failed : tally.failed === 0 ? cancelled : `${failed} and ${cancelled}`;
  const { maxFailureCount, maxFailureRatio } = tolerance;
  if (maxFailureCount !== null && count > maxFailureCount)
    return refuse('MAX_FAILURE_COUNT', maxFailureCount, `${told}; maxFailureCount is ${maxFailureCount}`);
  if (maxFailureRatio !== null && isOverRatio(count, maxFailureRatio, total))
    return refuse(
      'MAX_FAILURE_RATIO',
      maxFailureRatio,
      `${told}${total === null ? '' : ` of ${total}`}; maxFailureRatio is ${maxFailureRatio}`,
    );
  return null;
}

function isOverRatio(count: number, text: string, total: number | null): boolean {
  const ratio = parseRatio(text);
  if (!ratio) throw new RangeError(`maxFailureRatio ${text} is not in 0..1`);
  if (ratio.numerator === 0n) return count > 0;
  return total !== null && exceedsRatio(count, ratio, total);
}

function describe(count: number, what: string): string {
  return `${count} ${what}`;
}
