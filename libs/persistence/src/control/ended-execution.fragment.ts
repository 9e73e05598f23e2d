import { taskFrom, taskTo } from '../database/moves.js';

/**
 * What ends with one execution that is ended from outside: its open tasks, what would come back, its timers, its key, its
 * fan-outs; and it is counted as `kind`. Follows `moved` (id, fan_out_id, from_state, open).
 */
export const endedExecution = (kind: 'cancelled' | 'failed'): string => `), tasks as (
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
  set ${kind} = t.${kind} + 1,
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
)`;
