import type { Statement } from '../database/database.js';
import { hasPlace } from '../execution-path/open-child.fragment.js';
import { executionFrom, executionTo, taskFrom, taskTo } from '../database/moves.js';

/**
 * Cancels one execution: it, its tasks, what would come back. $1 execution, $2 cause (JSON text of the failure).
 * Zero rows: it has settled.
 */
export const cancelExecution: Statement = {
  name: 'cancel-execution',
  text: `
with old as (
  select id, state, ${hasPlace('execution')} as open
  from execution
  where id = $1
), moved as (
  update execution e
  set state = ${executionTo('cancel')},
      seq = e.seq + case when r.node is null then 1 else 2 end,
      error = $2,
      finished_at = now()
  from old
  left join lateral (
    select node, attempt
    from task
    where execution_id = old.id
      and state in ('running', 'recorded')
    order by node
    limit 1
  ) r on true
  where e.id = old.id
    and e.state = ${executionFrom('cancel')}
  returning e.id, e.seq, e.fan_out_id, old.state as from_state, old.open, r.node, r.attempt
), facts as (
  insert into event (execution_id, seq, kind, node, attempt, data)
  select id,
         case when node is null then seq else seq - 1 end,
         case when node is null then 'cancelled' else 'attempt_cancelled' end::event_kind,
         node,
         attempt,
         '{' || case when node is null then '' else '"outcome":"CANCELLED","charged":true,' end || '"error":' || $2 || '}'
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
), keys as (
  delete from open_key k
  using moved
  where k.execution_id = moved.id
), fan_outs as (
  update fan_out f
  set closed = true
  from moved
  where f.parent_id = moved.id
    and not f.sealed
), tally as (
  update fan_out_tally t
  set cancelled = t.cancelled + 1,
      paused = t.paused - case when moved.from_state = 'paused' then 1 else 0 end,
      closed = t.closed + case when moved.open then 1 else 0 end
  from moved
  where t.fan_out_id = moved.fan_out_id
), due as (
  insert into fan_out_due (fan_out_id)
  select fan_out_id
  from moved
  where fan_out_id is not null
  on conflict do nothing
)
select from_state, fan_out_id
from moved`,
};
