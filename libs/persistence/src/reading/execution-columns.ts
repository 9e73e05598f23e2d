/**
 * The columns of an execution as it is shown, with its lineage: `e` is the execution, `f` its fan-out, `p` its parent,
 * `pf` the parent's fan-out, `v` its version. Trace ids live on roots only.
 */
export const executionColumns = `
  e.id, e.fan_out_id as "fanOutId", e.created_at as "createdAt", e.started_at as "startedAt",
  e.finished_at as "finishedAt", e.version_id as "versionId", e.seq, e.state, e.priority, e.starts,
  e.item_key as "itemKey", e.labels, e.error, e.fingerprint, e.business_key as "businessKey",
  coalesce(e.trace_id, r.trace_id) as "traceId",
  f.parent_id as "parentId", f.root_id as "rootId", f.node as "spawnerNode", f.child_path as "childPath",
  p.version_id as "parentVersionId", pf.child_path as "parentPath", v.name as "pipelineName", v.version as "pipelineVersion"`;

/** Joins that {@link executionColumns} needs beside `execution e`. */
export const executionJoins = `
join pipeline_version v on v.id = e.version_id
left join fan_out f on f.id = e.fan_out_id
left join execution p on p.id = f.parent_id
left join fan_out pf on pf.id = p.fan_out_id
left join execution r on r.id = f.root_id`;

/** One execution as its row and lineage say. */
export interface ExecutionRow {
  readonly id: string;
  readonly fanOutId: number | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly versionId: number;
  /** Number of its last event. */
  readonly seq: number;
  readonly state: ExecutionStateName;
  readonly priority: number;
  readonly starts: number;
  readonly itemKey: string | null;
  /** Exact JSON texts. */
  readonly labels: string | null;
  readonly error: string | null;
  readonly fingerprint: string | null;
  readonly businessKey: string | null;
  readonly traceId: string | null;
  readonly parentId: string | null;
  readonly rootId: string | null;
  /** Position of the spawner in the parent's plan. */
  readonly spawnerNode: number | null;
  /** Positions of spawners from the version's plan down to the inline node it runs; empty for a pipeline's own. */
  readonly childPath: number[] | null;
  readonly parentVersionId: number | null;
  readonly parentPath: number[] | null;
  readonly pipelineName: string;
  readonly pipelineVersion: number;
}

export type ExecutionStateName = 'pending' | 'ready' | 'running' | 'paused' | 'succeeded' | 'failed' | 'cancelled';
