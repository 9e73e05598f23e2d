import type { Plan } from '@app/domain';
import type { FanOutRow } from '@app/persistence';
import { childCounts } from './fan-out-counts.js';

/** The newest generation of each fan-out, by position of the spawner. */
export function newestGenerations(rows: readonly FanOutRow[]): FanOutRow[] {
  const newest = new Map<string, FanOutRow>();
  for (const row of rows) {
    const key = `${row.parentId} ${row.node}`;
    const known = newest.get(key);
    if (!known || known.generation < row.generation) newest.set(key, row);
  }
  return [...newest.values()].sort((a, b) => a.node - b.node);
}

function rolloutView(row: FanOutRow, plan: Plan) {
  const config = plan.nodes[row.node]?.config;
  if (row.released === null || config?.type !== 'SPAWNER' || !config.rollout) return null;
  const released = Math.min(row.released, row.total ?? row.spawned);
  const allowed = config.rollout[row.stage]?.maxFailureRatio ?? null;
  const isStopped = row.stageHold === 'stopped' && allowed !== null;
  return {
    stage: row.stage + 1,
    stages: config.rollout.length,
    released,
    stopped: isStopped ? { failed: row.stageFailed, allowed } : null,
  };
}

/** What stopped the rollouts of an execution, in words; null: none has stopped. */
export function stopsToldOf(rows: readonly FanOutRow[], plan: Plan): string | null {
  const told = rows.flatMap((row) => {
    const rollout = rolloutView(row, plan);
    if (!rollout?.stopped) return [];
    const { stage, stages, released, stopped } = rollout;
    const { id } = plan.nodes[row.node]!;
    return `${stopped.failed} of ${released} released children of ${id} failed in stage ${stage} of ${stages}, which allows a ratio of ${stopped.allowed}`;
  });
  return told.length === 0 ? null : told.join('; ');
}

/** A fan-out as the api shows it, below the plan of its parent. */
export function fanOutView(row: FanOutRow, plan: Plan) {
  return {
    nodeId: plan.nodes[row.node]?.id ?? String(row.node),
    childPipeline: `${row.childPipelineName}@${row.childPipelineVersion}`,
    generation: row.generation,
    round: row.round,
    total: row.total,
    spawned: row.spawned,
    sealed: row.sealed,
    ...childCounts(row),
    verdict: row.verdict.toUpperCase(),
    attached: row.attached,
    maxConcurrency: row.maxConcurrency,
    pausedAt: row.pausedAt,
    cancelledAt: row.cancelledAt,
    deferredUntil: row.deferredUntil,
    deferredReason: row.deferredReason,
    rollout: rolloutView(row, plan),
  };
}
