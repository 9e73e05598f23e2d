import { executionFrom, executionTo, taskFrom, taskTo } from '../database/moves.js';
import { hasPlace } from '../execution-path/open-child.fragment.js';

const cut = `state in ('running', 'recorded')`;

/** How many attempts are cut off when an execution is ended from outside. @param id a column */
export const cutAttempts = (id: string): string =>
  `(select count(*)::integer from task where execution_id = ${id} and ${cut})`;

/**
 * The end of each of them, so that every attempt has one (I6): the nth stands n before the fact of the execution's end. Follows
 * `moved` (id, seq). @param error parameter with the JSON text of the failure
 */
export const cutFacts = (error: string): string => `attempts as (
  insert into event (execution_id, seq, kind, node, attempt, data)
  select moved.id, moved.seq - t.n, 'attempt_ended', t.node, t.attempt,
         '{"outcome":"CANCELLED","charged":true,"error":' || ${error} || '}'
  from moved
  cross join lateral (
    select node, attempt, row_number() over (order by node desc)::integer as n
    from task
    where execution_id = moved.id
      and ${cut}
  ) t
)`;

/** What ends with executions that are ended from outside, below them. Follows `moved` (id). */
export const endedBelow = `tasks as (
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
)`;

/** Ends one execution from outside. $1 execution, $2 failure (JSON text). @param more further assignments to the execution */
export const endExecution = (move: 'cancel' | 'fail', kind: 'cancelled' | 'failed', more = ''): string => `
with old as (
  select id, state, ${hasPlace('execution')} as open
  from execution
  where id = $1
), moved as (
  update execution e
  set state = ${executionTo(move)},
      seq = e.seq + 1 + ${cutAttempts('e.id')},
      error = $2,${more}
      finished_at = now()
  from old
  where e.id = old.id
    and e.state = ${executionFrom(move)}
  returning e.id, e.seq, e.fan_out_id, old.state as from_state, old.open
), ${cutFacts('$2')}, facts as (
  insert into event (execution_id, seq, kind, data)
  select id, seq, '${kind}', '{"error":' || $2 || '}'
  from moved
), ${endedBelow}, keys as (
  delete from open_key k
  using moved
  where k.execution_id = moved.id
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
)
select from_state, fan_out_id
from moved`;
