import type { Statement } from '../database/database.js';
import { executionFrom, executionTo, taskFrom, taskTo } from '../database/moves.js';

/**
 * Cancels open children of one fan-out in item order, their tasks and what would come back, and counts them.
 * Parameters: $1 fan-out, $2 first and $3 last id, $4 most, $5 cause (JSON text). The fan-outs of cancelled children close.
 * Returns how many were cancelled, and the last id.
 */
export const cancelChildren: Statement = {
  name: 'cancel-children',
  text: `
with victims as (
  select id, state
  from execution
  where id between $2 and $3
    and state = ${executionFrom('cancel')}
  order by id
  limit $4
  for update
), moved as (
  update execution e
  set state = ${executionTo('cancel')},
      seq = e.seq + 1,
      error = $5,
      finished_at = now()
  from victims v
  where e.id = v.id
  returning e.id, e.seq, v.state as from_state
), facts as (
  insert into event (execution_id, seq, kind, data)
  select id, seq, 'cancelled', '{"error":' || $5 || '}'
  from moved
), tasks as (
  update task t
  set state = ${taskTo('cancel')},
      finished_at = now(),
      available_at = null
  from moved
  where t.execution_id = moved.id
    and t.state = ${taskFrom('cancel')}
), comebacks as (
  delete from comeback c
  using moved
  where c.execution_id = moved.id
), waiting as (
  delete from intake i
  using moved
  where i.execution_id = moved.id
), fan_outs as (
  update fan_out f
  set closed = true
  from moved
  where f.parent_id = moved.id
    and not f.sealed
), tally as (
  update fan_out_tally t
  set cancelled = t.cancelled + x.cancelled,
      paused = t.paused - x.paused,
      closed = t.closed + x.opened
  from (select count(*)::integer as cancelled,
               (count(*) filter (where from_state = 'paused'))::integer as paused,
               (count(*) filter (where from_state in ('ready', 'running')))::integer as opened
        from moved) x
  where t.fan_out_id = $1
), due as (
  insert into fan_out_due (fan_out_id)
  select $1
  where exists (select from moved)
  on conflict do nothing
)
select (select count(*)::integer from moved) as cancelled,
       (select max(id::text) from moved) as last_id`,
};
