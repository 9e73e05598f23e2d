import type { FailureTolerance, Plan } from '@app/domain';
import type { DueFanOut } from '@app/persistence';

export interface MergeRule {
  readonly tolerance: FailureTolerance;
  readonly failFast: boolean;
  readonly remaining: 'CANCEL' | 'RUN';
  readonly inline: boolean;
}

const strict: FailureTolerance = { kinds: [], maxFailureRatio: null, maxFailureCount: null };

/** The rule a fan-out is judged by: its merge node's, an operator's override of it, or the implicit strict one. */
export function mergeRule(plan: Plan, fanOut: DueFanOut): MergeRule {
  const merge = fanOut.mergeNode === null ? null : plan.nodes[fanOut.mergeNode]!.config;
  const override = fanOut.tolerance === null ? null : (JSON.parse(fanOut.tolerance) as Partial<FailureTolerance>);
  if (merge?.type !== 'MERGE')
    return { tolerance: { ...strict, ...override }, failFast: false, remaining: 'CANCEL', inline: false };
  return {
    tolerance: { ...merge.tolerance, ...override },
    failFast: merge.failFast,
    remaining: merge.remaining,
    inline: merge.results === 'INLINE',
  };
}
