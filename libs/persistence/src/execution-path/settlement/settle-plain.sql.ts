import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';
import { executionFrom, executionTo, taskFrom, taskTo } from '../../database/moves.js';

/**
 * Settles batches of plain successes, children of one node each, whole: what the decision about one of them would be
 * (recorded -> succeeded, running -> succeeded, one row of three facts, one more succeeded in its tally), for all at once.
 *
 * Parameters: $1 batches.
 * Guard: the batch is still there and nobody else is taking it; the task is recorded as succeeded, the execution is running.
 * Returns one row: fan-outs that may have a verdict now, the settled ids where they are at most 10, and ids that did not pass
 * the guard.
 */
export const settlePlain: Statement = {
  name: 'settle-plain',
  text: `
with b as (
  select id, ids, nodes
  from recorded_batch
  where id = any ($1::bigint[])
  for update skip locked
), gone as (
  delete from recorded_batch
  using b
  where recorded_batch.id = b.id
), x as (
  select u.id, u.node
  from b
  cross join lateral unnest(b.ids, b.nodes) u (id, node)
  where ${batchFirst('b.id')}
    and ${batchFirst('u.node')}
), moved as (
  update execution e
  set state = ${executionTo('succeed')},
      seq = e.seq + 3,
      finished_at = now()
  from x, task t
  where e.id = x.id
    and e.state = ${executionFrom('succeed')}
    and t.execution_id = x.id
    and t.node = x.node
    and t.shard = 0
    and t.state = ${taskFrom('succeed')}
    and t.outcome = 'succeeded'
  returning e.id, e.seq, e.fan_out_id, t.node, t.attempt
), tasks as (
  update task t
  set state = ${taskTo('succeed')},
      losses = 0
  from moved
  where t.execution_id = moved.id
    and t.node = moved.node
    and t.shard = 0
    and t.state = ${taskFrom('succeed')}
), facts as (
  insert into event (execution_id, seq, kind, node, attempt)
  select id, seq - 2, 'all_succeeded', node, attempt
  from moved
), sums as (
  select fan_out_id, count(*)::integer as n
  from moved
  group by fan_out_id
), locked as (
  select t.fan_out_id
  from fan_out_tally t
  where t.fan_out_id in (select fan_out_id from sums)
  order by t.fan_out_id
  for update
), counted as (
  update fan_out_tally t
  set succeeded = t.succeeded + sums.n,
      closed = t.closed + sums.n
  from locked, sums
  where t.fan_out_id = locked.fan_out_id
    and sums.fan_out_id = locked.fan_out_id
  returning t.fan_out_id, t.succeeded + t.failed + t.cancelled as settled
), due as (
  insert into fan_out_due (fan_out_id)
  select fan_out_id
  from counted
  on conflict do nothing
)
select (select array_agg(c.fan_out_id) from counted c join fan_out f on f.id = c.fan_out_id where c.settled >= f.spawned) as due,
       (select array_agg(id) from moved having count(*) <= 10) as few,
       case when (select count(*) from moved) < (select count(*) from x)
            then (select array_agg(id) from (select id from x except select id from moved) r) end as rest`,
};
