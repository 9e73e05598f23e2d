import type { StageHold } from '@app/domain';

/**
 * A fan-out `f` with its counts: the tally `t`, and what the cursors and the narrow tables say about children that have
 * not settled. pending, ready and running are derived from them when shown, so that they always sum to `spawned`.
 */
export const fanOutColumns = `
  f.id, f.parent_id as "parentId", f.root_id as "rootId", f.node, f.merge_node as "mergeNode", f.generation, f.round,
  f.child_version_id as "childVersionId", f.child_path as "childPath", f.total, f.spawned, f.sealed, f.closed, f.attached,
  (select m.at from mark m where m.execution_id = f.parent_id and m.fan_out_id = f.id and m.kind = 'pause') as "pausedAt",
  f.cancelled_at as "cancelledAt",
  coalesce(a.cursor, 0) as "admitCursor", f.max_concurrency as "maxConcurrency", f.tolerance, f.verdict, f.depth,
  f.deferred_until as "deferredUntil", coalesce(f.deferred_reason, case f.stage_hold when 'stopped' then 'ROLLOUT_STOPPED' when 'approval' then 'ROLLOUT_APPROVAL' end) as "deferredReason", f.released, f.stage,
  f.stage_hold as "stageHold", f.stage_failed as "stageFailed", f.list_id as "listId",
  t.succeeded, t.failed, t.cancelled, t.paused,
  (select count(*) from comeback c where c.fan_out_id = f.id and c.child) as "comingBack",
  (select coalesce(sum(h.size), 0) from handout h where h.fan_out_id = f.id) as "handedOut",
  v.name as "childPipelineName", v.version as "childPipelineVersion"`;

export const fanOutJoins = `
join fan_out_tally t on t.fan_out_id = f.id
left join fan_out_admission a on a.fan_out_id = f.id
join pipeline_version v on v.id = f.child_version_id`;

export interface FanOutRow {
  readonly id: number;
  readonly parentId: string;
  readonly rootId: string;
  readonly node: number;
  readonly mergeNode: number | null;
  readonly generation: number;
  readonly round: number;
  readonly childVersionId: number;
  readonly childPath: number[];
  readonly total: number | null;
  readonly spawned: number;
  readonly sealed: boolean;
  readonly closed: boolean;
  readonly attached: number;
  readonly pausedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly admitCursor: number;
  readonly maxConcurrency: number | null;
  readonly tolerance: string | null;
  readonly verdict: 'open' | 'passed' | 'failed';
  readonly depth: number;
  readonly deferredUntil: Date | null;
  readonly deferredReason: string | null;
  /** Children that its stages have released; null: it has no stages. */
  readonly released: number | null;
  /** The stage that is released, from 0. */
  readonly stage: number;
  readonly stageHold: StageHold;
  /** Of the released children, how many had failed when the stage stopped. */
  readonly stageFailed: number | null;
  readonly listId: string | null;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly paused: number;
  /** Children that wait to be admitted again. */
  readonly comingBack: number;
  /** Children that are handed out and not claimed. */
  readonly handedOut: number;
  readonly childPipelineName: string;
  readonly childPipelineVersion: number;
}
