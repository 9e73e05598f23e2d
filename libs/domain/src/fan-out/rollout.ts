/**
 * Progressive fan-out: the children of a list are released in stages, each larger than the one before, and the next stage
 * follows only when what was released so far has settled within its failure ratio.
 *
 * A stage's end counts from the first item: `items`, or `ratio` of the total (rounded up). The ratio of failures is over the
 * children released so far, in exact arithmetic; a cancelled child is no failure of the work and does not count.
 */
import { exceedsRatio, parseRatio } from './ratio.js';

export interface RolloutStage {
  /** Children released by the end of this stage; null: `ratio` says it. */
  readonly items: number | null;
  /** Of the total, as it was written; null: `items` says it. */
  readonly ratio: string | null;
  /** More failures than this ratio of what was released stop the rollout; null: any number passes. */
  readonly maxFailureRatio: string | null;
  /** The stage begins only when somebody has approved it. */
  readonly approval: boolean;
}

/** What an operator has to do with the stage: nothing, decide whether to go on after all, approve it; or he has. */
export type StageHold = 'stopped' | 'approval' | 'accepted' | null;

export interface RolloutProgress {
  /** The stage that is released, from 0. */
  readonly stage: number;
  readonly hold: StageHold;
  /** Children that may be handed out. */
  readonly released: number;
  /** Planned children; null while the source has not told. */
  readonly total: number | null;
  readonly spawned: number;
}

/** The states of the children released so far. */
export interface ReleasedCounts {
  readonly failed: number;
  readonly open: number;
}

export type RolloutDecision =
  | { readonly kind: 'wait' }
  | { readonly kind: 'release'; readonly stage: number; readonly released: number }
  | { readonly kind: 'ask' }
  | { readonly kind: 'stop'; readonly failed: number; readonly released: number; readonly allowed: string };

/** Beyond every list: all there is and all that will come. */
export const releasedAll = 2 ** 31 - 1;

/** Children released by the end of a stage; null while that depends on a total nobody knows. */
export function stageEnd(stage: RolloutStage, total: number | null): number | null {
  if (stage.items !== null) return stage.items;
  const ratio = parseRatio(stage.ratio!)!;
  if (ratio.numerator === ratio.denominator) return releasedAll;
  if (total === null) return null;
  return Number((ratio.numerator * BigInt(total) + ratio.denominator - 1n) / ratio.denominator);
}

/**
 * What happens next to a rollout. It is asked whenever children have settled, the total became known, or an operator has
 * spoken; asking again changes nothing.
 * @param counts of the children released so far; asked for only when it matters
 */
export function decideRollout(
  stages: readonly RolloutStage[],
  progress: RolloutProgress,
  counts: ReleasedCounts | null,
): RolloutDecision | { readonly kind: 'count' } {
  const { stage, hold, released, total, spawned } = progress;
  const current = stages[stage];
  if (!current) return { kind: 'wait' };
  const end = stageEnd(current, total);
  if (released === 0) {
    if (end === null || hold === 'approval') return { kind: 'wait' };
    if (current.approval && hold !== 'accepted') return { kind: 'ask' };
    return { kind: 'release', stage, released: end };
  }
  const next = stages[stage + 1];
  if (!next || hold === 'stopped' || hold === 'approval') return { kind: 'wait' };
  const nextEnd = stageEnd(next, total);
  if (nextEnd === null) return { kind: 'wait' };
  const further: RolloutDecision = { kind: 'release', stage: stage + 1, released: Math.max(released, nextEnd) };
  if (hold === 'accepted') return further;
  if (spawned < released) return { kind: 'wait' };
  if (!counts) return { kind: 'count' };
  if (counts.open > 0) return { kind: 'wait' };
  const allowed = current.maxFailureRatio;
  if (allowed !== null && exceedsRatio(counts.failed, parseRatio(allowed)!, released))
    return { kind: 'stop', failed: counts.failed, released, allowed };
  return next.approval ? { kind: 'ask' } : further;
}
