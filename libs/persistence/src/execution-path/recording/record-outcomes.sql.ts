import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';
import { taskFrom, taskTo } from '../../database/moves.js';

/**
 * Records the outcomes of a flush: running -> recorded, one \`recorded_batch\` row for all of them, finished claim batches
 * and held destinations let go.
 *
 * Parameters: $1 incarnation, $2 executions, $3 nodes, $4 fencing tokens, $5 outcomes, $6 outputs, $7 errors,
 * $8 milliseconds a snoozed task asked for, $9 claim batches of which nothing runs any more, $10 whether the outcome is a plain
 * one: a success that settles a child of one node.
 * Guard: fencing token, incarnation and state (I3). A late write changes nothing: ids not returned were rejected.
 */
export const recordOutcomes: Statement = {
  name: 'record-outcomes',
  text: `
with o as (
  select *
  from unnest($2::uuid[], $3::smallint[], $4::integer[], $5::outcome_kind[], $6::text[], $7::text[], $8::integer[], $10::boolean[])
    x (execution_id, node, fencing_token, outcome, output, error, snooze_ms, plain)
), recorded as (
  update task t
  set state = ${taskTo('record')},
      outcome = o.outcome,
      output = o.output,
      error = o.error,
      snooze_ms = o.snooze_ms,
      finished_at = now()
  from o
  where ${batchFirst('o.node')}
    and t.execution_id = o.execution_id
    and t.node = o.node
    and t.shard = 0
    and t.fencing_token = o.fencing_token
    and t.incarnation = $1
    and t.state = ${taskFrom('record')}
  returning t.execution_id, t.node, o.plain
), batch as (
  insert into recorded_batch (plain, ids, nodes)
  select plain, array_agg(execution_id order by execution_id, node), array_agg(node order by execution_id, node)
  from recorded
  group by plain
  returning id, plain
), finished as (
  delete from claim_batch
  where id = any ($9::bigint[])
    and incarnation = $1
)
select (select id from batch where plain) as plain_id,
       (select id from batch where not plain) as batch_id,
       (select count(*)::integer from recorded) as recorded,
       case when (select count(*) from recorded) < cardinality($2::uuid[])
            then (select array_agg(execution_id::text || '/' || node) from recorded) end as accepted`,
};

/**
 * Lets go of the destinations that calls held, whatever became of their task: the holder's word that the call has ended.
 * Parameters: $1 incarnation, $2 executions, $3 nodes. Returns the destinations that have room again.
 */
export const letGo: Statement = {
  name: 'let-go',
  text: `
with gone as (
  delete from destination_holder h
  using unnest($2::uuid[], $3::smallint[]) x (execution_id, node)
  where ${batchFirst('x.node')}
    and h.execution_id = x.execution_id
    and h.node = x.node
    and h.incarnation = $1
  returning h.destination_id
)
select destination_id as id, count(*)::integer as freed
from gone
group by destination_id`,
};

/**
 * Hand-outs that waited for destinations with room again, oldest first, taken off the waiting list.
 * Parameters: $1 destinations, $2 most tasks.
 */
export const takeWaiting: Statement = {
  name: 'take-waiting',
  text: `
with next as (
  select w.id, w.handout_id
  from unnest($1::integer[]) d (id)
  cross join lateral (
    select id, handout_id
    from destination_wait
    where destination_id = d.id
    order by id
    limit $2
    for update skip locked
  ) w
), gone as (
  delete from destination_wait
  using next
  where destination_wait.id = next.id
)
select h.id, h.queue, h.root_id, h.parent_id, h.fan_out_id, h.version_id, h.child_path, h.node, h.size, h.suspect,
       h.destinations, h.first_id is not null as range
from handout h
join next on next.handout_id = h.id
order by next.id`,
};

/** A late write was rejected: one fact for each execution. $1 executions, $2 nodes, $3 fencing tokens, $4 incarnation. */
export const noteRejected: Statement = {
  name: 'note-rejected',
  text: `
with x as (
  select execution_id, min(node) as node, min(fencing_token) as fencing_token
  from unnest($1::uuid[], $2::smallint[], $3::integer[]) x (execution_id, node, fencing_token)
  group by execution_id
), bumped as (
  update execution e
  set seq = e.seq + 1
  from x
  where e.id = x.execution_id
  returning e.id, e.seq, x.node, x.fencing_token
)
insert into event (execution_id, seq, kind, node, actor, data)
select id, seq, 'write_rejected', node, $4, '{"fencingToken":' || fencing_token || '}'
from bumped`,
};
