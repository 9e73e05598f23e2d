/** How an execution ends when nothing of it is open any more. */
import type { Plan } from '../pipeline/plan.js';
import type { TaskState } from '../transition-table.js';
import { readsState } from './edge-status.js';
import type { EventDraft, TaskChange } from './execution-decision.js';
import { failure, withNode } from './node-failure.js';
import type { ExecutionSnapshot } from './snapshot.js';

export function isSettled(state: TaskState | null): boolean {
  return state !== null && ['succeeded', 'failed', 'cancelled', 'skipped'].includes(state);
}

/** Whether a task has begun and not settled. */
export function anythingOpen(snapshot: ExecutionSnapshot, changes: ReadonlyMap<number, TaskChange>): boolean {
  for (const change of changes.values()) if (!isSettled(change.to)) return true;
  for (const task of snapshot.tasks.values())
    if (!changes.has(task.node) && !task.unbegun && !isSettled(task.state)) return true;
  return false;
}

/** The last fact of a one-node execution and its end are one stored row. */
export function tellEnd(events: EventDraft[], to: 'succeeded' | 'failed', error: string | null): void {
  const last = events.at(-1);
  const joined = { attempt_succeeded: 'all_succeeded', attempt_failed: 'all_failed' } as const;
  const kind = last && (last.kind === 'attempt_succeeded' || last.kind === 'attempt_failed') ? joined[last.kind] : null;
  if (last && kind && (kind === 'all_succeeded') === (to === 'succeeded'))
    events[events.length - 1] = { ...last, kind };
  else events.push({ kind: to, node: null, attempt: null, data: error ? `{"error":${error}}` : null });
}

/** The failure of the first failed node, by rank, that nothing downstream handled. */
export function unhandledFailure(
  plan: Plan,
  snapshot: ExecutionSnapshot,
  changes: ReadonlyMap<number, TaskChange>,
): string | null {
  const stateOf = (n: number): TaskState | null => changes.get(n)?.to ?? snapshot.tasks.get(n)?.state ?? null;
  const isHandled = (n: number): boolean =>
    plan.nodes[n]!.outgoing.some((edge) => {
      const state = stateOf(edge.to);
      if (!state || state === 'skipped') return false;
      return plan.nodes[edge.to]!.join !== 'ALL_SUCCEEDED' || (edge.condition !== null && readsState(edge, plan));
    });
  const touched = new Set([...snapshot.tasks.keys(), ...changes.keys()]);
  const failed = [...touched].filter((n) => stateOf(n) === 'failed' && !isHandled(n));
  failed.sort((a, b) => plan.nodes[a]!.rank - plan.nodes[b]!.rank || a - b);
  const first = failed[0];
  if (first === undefined) return null;
  const task = snapshot.tasks.get(first);
  const { id } = plan.nodes[first]!;
  const error = changes.get(first)?.error ?? task?.error ?? failure('PERMANENT', 'NODE.FAILED', 'the node failed', id);
  return withNode(error, id, task?.attempt);
}
