import type { Plan } from '@app/domain';

/** Whether executions of this plan may have timers: others are spared the look. */
export function usesTimers(plan: Plan): boolean {
  return (
    plan.timeoutMs !== null ||
    plan.edges.some((e) => e.timeoutMs !== null) ||
    plan.nodes.some((n) => n.type === 'WAIT' || (n.type === 'SIGNAL' && n.timeoutMs !== null))
  );
}
