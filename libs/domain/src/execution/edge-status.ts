/** How an edge stands while a decision is made. See progress.ts for what each status means for the node behind it. */
import { evaluateCondition } from '../expression/condition.js';
import type { Scope } from '../expression/scope.js';
import type { Plan, PlannedEdge } from '../pipeline/plan.js';
import type { TaskState } from '../transition-table.js';

export type EdgeStatus = 'open' | 'taken' | 'passed-over' | 'broken';

/**
 * @param state of the upstream node; null: without a task
 * @param dead whether the upstream node can never run
 * @throws ExpressionFailure of the condition
 */
export function edgeStatus(
  plan: Plan,
  edge: PlannedEdge,
  state: TaskState | null,
  dead: boolean,
  scope: () => Scope,
): EdgeStatus {
  if (dead) return 'broken';
  if (state === 'skipped') return 'passed-over';
  if (state === 'succeeded')
    return !edge.condition || evaluateCondition(edge.condition, scope()) ? 'taken' : 'passed-over';
  if (state === 'failed' && edge.condition && readsState(edge, plan))
    return evaluateCondition(edge.condition, scope()) ? 'taken' : 'passed-over';
  if (state === 'failed' || state === 'cancelled') return 'broken';
  return 'open';
}

export function readsState(edge: PlannedEdge, plan: Plan): boolean {
  return edge.condition!.source.includes(`nodes.${plan.nodes[edge.from]!.id}.state`);
}
