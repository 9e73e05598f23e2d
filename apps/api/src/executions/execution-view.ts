import { itemIndexOf, type Plan, type TaskState } from '@app/domain';
import type { ExecutionRow, TaskRow } from '@app/persistence';
import { exactOrNull } from '../json/json-text.js';
import { nodeAt, planAt, type VersionPlan } from '../pipelines/plans.js';

const terminal: readonly string[] = ['succeeded', 'failed', 'cancelled'];

export function isSettled(row: Pick<ExecutionRow, 'state'>): boolean {
  return terminal.includes(row.state);
}

export function isSettledView({ state }: { readonly state?: unknown }): boolean {
  return terminal.includes(String(state).toLowerCase());
}

/** The plan an execution runs. */
export function planOf(
  row: Pick<ExecutionRow, 'versionId' | 'childPath'>,
  plans: ReadonlyMap<number, VersionPlan>,
): Plan {
  return planAt(plans.get(row.versionId)!.plan, row.childPath ?? []);
}

/** Versions whose plans the rows need to be shown. */
export function versionsOf(rows: readonly Pick<ExecutionRow, 'versionId' | 'parentVersionId'>[]): number[] {
  return rows.flatMap((row) => (row.parentVersionId === null ? [row.versionId] : [row.versionId, row.parentVersionId]));
}

/** An execution as a row of a list. */
export function executionRowView(row: ExecutionRow, plans: ReadonlyMap<number, VersionPlan>) {
  const path = row.childPath ?? [];
  return {
    id: row.id,
    pipeline: { name: row.pipelineName, version: row.pipelineVersion },
    node: path.length > 0 ? (nodeAt(plans.get(row.versionId)!.plan, path)?.id ?? null) : null,
    state: row.state.toUpperCase(),
    parentId: row.parentId,
    rootId: row.rootId ?? row.id,
    spawnedBy: spawnerOf(row, plans),
    itemIndex: row.fanOutId === null ? null : itemIndexOf(row.id),
    itemKey: row.itemKey,
    key: row.businessKey,
    error: exactOrNull(row.error),
    fingerprint: row.fingerprint,
    labels: exactOrNull(row.labels) ?? {},
    priority: row.priority,
    attempt: row.starts,
    traceId: row.traceId,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
  };
}

function spawnerOf(row: ExecutionRow, plans: ReadonlyMap<number, VersionPlan>): string | null {
  if (row.spawnerNode === null || row.parentVersionId === null) return null;
  const parent = plans.get(row.parentVersionId);
  return parent ? (planAt(parent.plan, row.parentPath ?? []).nodes[row.spawnerNode]?.id ?? null) : null;
}

/** Every node of the plan with the state of its task; one that was never laid out waits, or was skipped. */
export function nodeViews(plan: Plan, tasks: readonly TaskRow[], settled: boolean) {
  const byNode = new Map(tasks.map((task) => [task.node, task]));
  return plan.nodes.map(({ index, id, type }) => {
    const task = byNode.get(index);
    if (!task)
      return {
        id,
        type,
        state: settled ? 'SKIPPED' : 'PENDING',
        attempt: 0,
        startedAt: null,
        finishedAt: null,
        availableAt: null,
        error: null,
      };
    const { attempt, startedAt, finishedAt, error } = task;
    const availableAt = task.state === 'pending' ? task.availableAt : null;
    return {
      id,
      type,
      state: taskStateView(task.state),
      attempt,
      startedAt,
      finishedAt,
      availableAt,
      error: exactOrNull(error),
    };
  });
}

/** A recorded attempt is shown as running: how the task goes on is not decided yet. */
function taskStateView(state: TaskState): string {
  return state === 'recorded' ? 'RUNNING' : state.toUpperCase();
}
