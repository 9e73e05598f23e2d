/** How an execution ends when nothing of it is open any more. */
import type { Plan } from '../pipeline/plan.js';
import type { TaskState } from '../transition-table.js';
import { readsState } from './edge-status.js';
import type { EventDraft, TaskChange } from './execution-decision.js';
import { failure, withNode } from './node-failure.js';
import type { ExecutionSnapshot, TaskSnapshot } from './snapshot.js';

export function isSettled(state: TaskState | null): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'cancelled' || state === 'skipped';
}

/** How many tasks have begun and not settled, with the changes made. */
export function openTasks(snapshot: ExecutionSnapshot, changes: ReadonlyMap<number, TaskChange>): number {
  let open = snapshot.part?.open ?? 0;
  if (!snapshot.part) for (const task of snapshot.tasks.values()) if (isOpenTask(task)) open++;
  for (const change of changes.values()) {
    const before = snapshot.tasks.get(change.node);
    if (before && isOpenTask(before)) open--;
    if (!isSettled(change.to)) open++;
  }
  return open;
}

function isOpenTask(task: TaskSnapshot): boolean {
  return !task.unbegun && !isSettled(task.state);
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
