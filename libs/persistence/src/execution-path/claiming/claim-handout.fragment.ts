import { batchFirst } from '../../database/batch-rows.js';
import { chargeRates } from '../destinations/charge.fragment.js';
import { executionTo, taskFrom, taskTo } from '../../database/moves.js';

export const claimable = `any (array['ready', 'running']::execution_state[])`;

/**
 * Claims what one hand-out names: ready -> running for the task, and for the execution if this is its first; attempt and
 * fencing token grow by one; the hand-out is gone. The claim names this incarnation, which must be live.
 *
 * Parameters: $1 hand-out, $2 incarnation, $3 most tasks, $4 time-out of an attempt in milliseconds (null: none),
 * $5 ids of destinations that each task will hold, $6 the last id that may be claimed (null: any), $7 to $9 what
 * as many tasks as $3 count against rates of destinations, if there are any; where there are fewer the caller counts anew.
 * Guard: the hand-out is still there and stands under no pause or cancel, the executor is live (its row is held \`for key share\`, so a sweep that marks it lost
 * waits), tasks are ready, executions are ready or running. What is beyond $3 stays ready and in the hand-out.
 * The hand-out goes when all it may hold was asked for. A duplicate that waited for its row looks with an older snapshot:
 * it asks for tasks that are taken by then, gets fewer than it asked for, and must not conclude that nothing is left.
 * An execution of several nodes may be claimed twice at once, task by task: then its row is locked first (`lock`), so that each
 * claim sees the state the other left (the update that follows is checked against the old snapshot first, so it asks only
 * for a state that can be claimed). One of one node cannot, and is not locked twice.
 * A claimed task was open and stays so: a count of open tasks that was up to date is so still (load-executions).
 * What bounds the look into \`task\` stands in subqueries, not in a join with the hand-out: for the sake of the order a join may be
 * planned as a walk through the whole index.
 * Zero rows: a duplicate message, or nothing left to claim.
 */
export const claim = (range: string, lock: string): string => `
with live as (
  select id
  from executor
  where id = $2
    and state = 'live'
  for key share
), h as (
  select handout.*
  from handout, live
  where handout.id = $1
    and (not exists (select from mark where mark.root_id = handout.root_id)
         or marked_together(handout.parent_id, handout.fan_out_id, handout.first_id, handout.ids) is null)
  for update of handout
), wanted as (
  select t.execution_id, t.node, t.shard, e.state as execution_state
  from task t, execution e
  where ${range}
    and t.node = (select node from h)
    and t.state = ${taskFrom('claim')}
    and e.id = t.execution_id
    and e.state = ${claimable}
    and ($6::uuid is null or t.execution_id <= $6)
  order by t.execution_id
  limit $3${lock}
), claimed as (
  update task t
  set state = ${taskTo('claim')},
      attempt = t.attempt + 1,
      fencing_token = t.fencing_token + 1,
      charged = t.charged + 1,
      incarnation = $2,
      outcome = null,
      error = null,
      snooze_ms = null,
      available_at = null,
      finished_at = null,
      started_at = now()
  from wanted w
  where ${batchFirst('w.node')}
    and t.execution_id = w.execution_id
    and t.node = w.node
    and t.shard = w.shard
    and t.state = ${taskFrom('claim')}
  returning t.execution_id, t.node, t.attempt, t.fencing_token, t.charged, t.losses, w.execution_state
), moved as (
  update execution e
  set state = ${executionTo('claim')},
      seq = e.seq + case when c.execution_state = 'ready' then 2 else 1 end,
      counted_seq = e.counted_seq + case when c.execution_state = 'ready' then 2 else 1 end,
      starts = e.starts + case when c.execution_state = 'ready' then 1 else 0 end,
      started_at = coalesce(e.started_at, now())
  from claimed c
  where ${batchFirst('c.node')}
    and e.id = c.execution_id
    and e.state = ${claimable}
  returning e.id, e.seq, e.input, e.item, e.item_key, e.labels, c.execution_state, c.node, c.attempt, c.fencing_token, c.charged, c.losses
), facts as (
  insert into event (execution_id, seq, kind, node, attempt, actor)
  select id,
         case when execution_state = 'ready' then seq - 1 else seq end,
         case when execution_state = 'ready' then 'started' else 'attempt_started' end::event_kind,
         node,
         attempt,
         $2
  from moved
), held as (
  insert into claim_batch (incarnation, node, ids, destinations, timeout_at)
  select $2, h.node, array_agg(moved.id order by moved.id), h.destinations, now() + $4 * interval '1 millisecond'
  from moved, h
  group by h.node, h.destinations
  returning id, node, ids
), holders as (
  insert into destination_holder (batch_id, destination_id, incarnation, node, ids)
  select held.id, d.id, $2, held.node, held.ids
  from held, unnest($5::integer[]) d (id)
), counted as (${chargeRates('$7', '$8', '$9')}
    and exists (select from wanted)
), gone as (
  delete from handout
  using h
  where handout.id = h.id
    and ($3 >= h.size or ($6::uuid is null and (select count(*) from wanted) < $3))
)
select moved.id, moved.node, moved.attempt, moved.fencing_token, moved.charged, moved.losses,
       moved.input, moved.item, moved.item_key, moved.labels, (select id from held) as batch_id
from moved`;

export const executionsLocked = '\n  for update of e';
