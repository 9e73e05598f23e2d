import type { Statement } from '../../database/database.js';

/**
 * Fires timers behind the gate of their roots: their executions are looked at by settlement, which decides what that means.
 * Under a pause or a cancel a timer is held; resume lets go of it. Timers that another orchestrator fires are passed over.
 * A deadline becomes a command, which ends its execution with the gate held alone.
 * $1 timers. Returns the recorded batch, null where nothing fired, and whether there are commands.
 */
export const fireTimers: Statement = {
  name: 'fire-timers',
  text: `
with due as (
  select id, kind, execution_id, root_id, node
  from timer
  where id = any ($1::bigint[])
    and not held
    and not fired
    and due_at <= now()
  order by id
  for update skip locked
), judged as (
  select id, kind, execution_id, root_id, node, marked_lineage(execution_id) is not null as held
  from due
), moved as (
  update timer t
  set held = j.held,
      fired = not j.held
  from judged j
  where t.id = j.id
    and (j.held or j.kind <> 'deadline')
), gone as (
  delete from timer t
  using judged j
  where t.id = j.id
    and not j.held
    and j.kind = 'deadline'
), commands as (
  insert into control (kind, execution_id, root_id)
  select 'timeout', j.execution_id, j.root_id
  from judged j
  join execution e on e.id = j.execution_id
  where not j.held
    and j.kind = 'deadline'
    and e.finished_at is null
  returning id
), batch as (
  insert into recorded_batch (ids, nodes)
  select array_agg(execution_id), array_agg(coalesce(node, -1::smallint))
  from judged
  where not held
    and kind <> 'deadline'
  having count(*) > 0
  returning id
)
select (select id from batch) as batch,
       exists (select from commands) as commands`,
};
