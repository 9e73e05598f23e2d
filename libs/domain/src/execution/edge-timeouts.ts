/** The time an edge gives its downstream node, from the settling of the upstream node to its own. */
import { ExpressionFailure } from '../expression/expression-failure.js';
import type { Plan, PlannedEdge } from '../pipeline/plan.js';
import type { EdgeStatus } from './edge-status.js';
import type { ArmedTimer } from './execution-decision.js';
import { failure } from './node-failure.js';
import type { FiredTimer } from './snapshot.js';

/**
 * Timers of the edges that leave nodes which have just settled. One that is passed over asks nothing of its node.
 * @param isOpen whether a node has yet to settle, and can
 */
export function edgeTimers(
  plan: Plan,
  settled: readonly number[],
  isOpen: (node: number) => boolean,
  statusOf: (edge: PlannedEdge) => EdgeStatus,
  nowMs: number,
): ArmedTimer[] {
  return settled
    .flatMap((node) => plan.nodes[node]!.outgoing)
    .filter((edge) => edge.timeoutMs !== null && isOpen(edge.to) && !isPassedOver(edge, statusOf))
    .map((edge) => ({ kind: `edge:${edge.index}`, node: edge.to, dueMs: nowMs + edge.timeoutMs! }));
}

function isPassedOver(edge: PlannedEdge, statusOf: (edge: PlannedEdge) => EdgeStatus): boolean {
  try {
    return statusOf(edge) === 'passed-over';
  } catch (error) {
    // the node has begun without asking this edge
    if (error instanceof ExpressionFailure) return true;
    throw error;
  }
}

/** The edge whose time is over; null: the timer is none of an edge. */
export function lateEdge(plan: Plan, timer: FiredTimer): PlannedEdge | null {
  if (!timer.kind.startsWith('edge:')) return null;
  const index = Number(timer.kind.slice('edge:'.length));
  // every edge of a valid plan stands where the definition has it
  return plan.edges[index] ?? null;
}

/** JSON text of the failure of a node that did not settle in the time of an edge. */
export function edgeTimedOut(plan: Plan, edge: PlannedEdge): string {
  const [from, to] = [plan.nodes[edge.from]!.id, plan.nodes[edge.to]!.id];
  const message = `it did not settle within ${edge.timeoutMs} ms after ${from}`;
  return failure('TIMEOUT', 'EDGE.TIMED_OUT', message, to);
}
