import type { Statement } from '../database/database.js';
import { hasPlace } from '../execution-path/open-child.fragment.js';
import { executionFrom, executionTo, taskFrom, taskTo } from '../database/moves.js';

/**
 * Cancels open children of one fan-out, their tasks and what would come back, and counts them. Their rows are locked by
 * lock-victims before, so that a task that was just born is seen.
 * Parameters: $1 fan-out, $2 children, $3 cause (JSON text). The fan-outs of cancelled children close.
 * Returns how many were cancelled, and the last id.
 */
export const cancelChildren: Statement = {
  name: 'cancel-children',
  text: `
with victims as (
  select id, state, ${hasPlace('execution')} as open
  from execution
  where id = any ($2::uuid[])
    and state = ${executionFrom('cancel')}
), moved as (
  update execution e
  set state = ${executionTo('cancel')},
      seq = e.seq + case when r.node is null then 1 else 2 end,
      error = $3,
      finished_at = now()
  from victims v
  left join lateral (
    select node, attempt
    from task
    where execution_id = v.id
      and state in ('running', 'recorded')
    order by node
    limit 1
  ) r on true
  where e.id = v.id
  returning e.id, e.seq, v.state as from_state, v.open, r.node, r.attempt
), facts as (
  insert into event (execution_id, seq, kind, node, attempt, data)
  select id,
         case when node is null then seq else seq - 1 end,
         case when node is null then 'cancelled' else 'attempt_cancelled' end::event_kind,
         node,
         attempt,
         '{' || case when node is null then '' else '"outcome":"CANCELLED","charged":true,' end || '"error":' || $3 || '}'
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
), timers as (
  delete from timer t
  using moved
  where t.execution_id = moved.id
    and t.kind <> 'retention'
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
               (count(*) filter (where open))::integer as opened
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
