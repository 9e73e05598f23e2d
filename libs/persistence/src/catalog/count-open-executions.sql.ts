import type { Statement } from '../database/database.js';

/**
 * How many executions are open: top-level ones, and the children of every fan-out that has begun or was found to be within its quota; of
 * such a fan-out also the children that it is yet to spawn. Children count for the pipeline they belong to.
 * $1 text: only of this pipeline, or null for all. Always one row.
 */
export const countOpenExecutions: Statement = {
  name: 'count-open-executions',
  text: `
select (
    select count(*)
    from execution e
    join pipeline_version v on v.id = e.version_id
    where e.fan_out_id is null
      and e.state in ('pending', 'ready', 'running', 'paused')
      and ($1::text is null or v.name = $1)
  ) + (
    select coalesce(sum(
      case when f.closed or f.total is null then f.spawned else f.total end - t.succeeded - t.failed - t.cancelled), 0)
    from fan_out f
    join fan_out_tally t on t.fan_out_id = f.id
    join pipeline_version v on v.id = f.child_version_id
    where not f.all_succeeded
      and (f.within_quota or f.spawned > 0)
      and ($1::text is null or v.name = $1)
  ) as open`,
};
