import type { Statement } from '../database/database.js';
import { itemIndex } from './item-index.fragment.js';
import { executionFrom, executionTo, taskFrom, taskTo } from '../database/moves.js';

/**
 * Re-opens children whose failed nodes an executor performs: failed or cancelled -> pending with a fresh budget, their failed
 * and cancelled tasks back to admission. A child that never began starts like a new one.
 * Parameters: $1 fan-out, $2 ids, $3 performed nodes, $4 their queues, $5 their destinations (JSON), $6 node a child starts
 * with (null: it is laid out). One that admission has not reached stays pending where its turn, or
 * its stage, comes: nothing is admitted from the cursor of a closed fan-out.
 */
export const redriveChildren: Statement = {
  name: 'redrive-children',
  text: `
with old as (
  select id, state
  from execution
  where id = any ($2::uuid[])
    and state = ${executionFrom('redrive')}
), moved as (
  update execution e
  set state = ${executionTo('redrive')},
      seq = e.seq + 1,
      error = null,
      fingerprint = null,
      finished_at = null
  from old
  where e.id = old.id
  returning e.id, e.seq, old.state as from_state
), facts as (
  insert into event (execution_id, seq, kind)
  select id, seq, 'reopened'
  from moved
), marks as (
  delete from mark k
  using moved
  where k.execution_id = moved.id
    and k.fan_out_id = 0
), tasks as (
  update task t
  set state = ${taskTo('reopen')},
      charged = 0,
      snoozes = 0,
      losses = 0,
      error = null,
      outcome = null,
      finished_at = null
  from moved
  where t.execution_id = moved.id
    and t.state in ('failed', 'cancelled')
    and t.state = ${taskFrom('reopen')}
  returning t.execution_id, t.node
), unadmitted as (
  select m.id
  from moved m
  join fan_out_admission a on a.fan_out_id = $1
  join fan_out o on o.id = a.fan_out_id
  where not o.closed
    and ${itemIndex('m.id')} >= a.cursor
), begun as (
  select execution_id, node from tasks
  union all
  select m.id, $6::smallint
  from moved m
  where $6::smallint is not null
    and not exists (select from task t where t.execution_id = m.id)
    and not exists (select from unadmitted u where u.id = m.id)
), back as (
  insert into comeback (execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, destinations)
  select m.id, b.node, n.queue, f.root_id, f.parent_id, f.id, f.child_version_id, f.child_path, f.priority, true,
         array(select json_array_elements_text(n.destinations::json))
  from begun b
  join moved m on m.id = b.execution_id
  join unnest($3::smallint[], $4::text[], $5::text[]) n (node, queue, destinations) on n.node = b.node
  join fan_out f on f.id = $1
  on conflict (execution_id, node) do nothing
), laid_out as (
  insert into intake (execution_id)
  select m.id
  from moved m
  where $6::smallint is null
    and not exists (select from task t where t.execution_id = m.id)
    and not exists (select from unadmitted u where u.id = m.id)
  on conflict do nothing
), tally as (
  update fan_out_tally t
  set failed = t.failed - x.failed,
      cancelled = t.cancelled - x.cancelled
  from (select (count(*) filter (where from_state = 'failed'))::integer as failed,
               (count(*) filter (where from_state = 'cancelled'))::integer as cancelled
        from moved) x
  where t.fan_out_id = $1
)
select count(*)::integer as moved
from moved`,
};
