import type { Statement } from '../../database/database.js';

/**
 * Fires timers behind the gate of their roots: their executions are looked at by settlement, which decides what that means.
 * Under a pause or a cancel a timer is held; resume lets go of it. Timers that another orchestrator fires are passed over.
 * $1 timers. Returns the recorded batch, null where nothing fired.
 */
export const fireTimers: Statement = {
  name: 'fire-timers',
  text: `
with due as (
  select id, execution_id
  from timer
  where id = any ($1::bigint[])
    and not held
    and not fired
    and due_at <= now()
  order by id
  for update skip locked
), judged as (
  select id, execution_id, marked_lineage(execution_id) is not null as held
  from due
), moved as (
  update timer t
  set held = j.held,
      fired = not j.held
  from judged j
  where t.id = j.id
), batch as (
  insert into recorded_batch (ids, nodes)
  select ids, array_fill(0::smallint, array[cardinality(ids)])
  from (select array_agg(distinct execution_id) as ids from judged where not held) x
  where ids is not null
  returning id
)
select (select id from batch) as batch`,
};
