import type { Statement } from '../database/database.js';

/**
 * Takes a pipeline out of the catalogue; its versions stay for the executions that are bound to them.
 * $1 name.
 * Guard: no execution of it is open, at the top or as a child. Zero rows: there is none, or one is open.
 */
export const deletePipeline: Statement = {
  name: 'delete-pipeline',
  text: `
update pipeline p
set deleted_at = now()
where p.name = $1
  and p.deleted_at is null
  and not exists (
    select
    from execution e
    join pipeline_version v on v.id = e.version_id
    where e.fan_out_id is null
      and v.name = p.name
      and e.state in ('pending', 'ready', 'running', 'paused')
  )
  and not exists (
    select
    from fan_out f
    join fan_out_tally t on t.fan_out_id = f.id
    join pipeline_version v on v.id = f.child_version_id
    where v.name = p.name
      and (f.spawned > t.succeeded + t.failed + t.cancelled or not (f.sealed or f.closed))
  )
returning p.name`,
};
