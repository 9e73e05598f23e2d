import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';
import { idsWithout } from '../destinations/places.fragment.js';
import { taskFrom, taskTo } from '../../database/moves.js';

/**
 * Records the outcomes of a flush: running -> recorded, one \`recorded_batch\` row for all of them, finished claim batches
 * and held destinations let go.
 *
 * Parameters: $1 incarnation, $2 executions, $3 nodes, $4 fencing tokens, $5 outcomes, $6 outputs, $7 errors,
 * $8 milliseconds a snoozed task asked for, $9 claim batches of which nothing runs any more, $10 whether the outcome is a plain
 * one: a success that settles a child of one node; $11 claim batches and $12 executions of calls that held destinations, one of
 * each for a call.
 * Guard: fencing token, incarnation and state (I3), and the incarnation is not lost. A late write changes nothing: ids not returned were rejected.
 * Destinations are let go whatever became of the task: it is the holder's word that the call has ended. A place belongs to the
 * claim that took it, so the end of a call says nothing about a later call of the same task.
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
    and exists (select from executor where id = $1 and state in ('live', 'draining'))
  returning t.execution_id, t.node, o.plain
), batch as (
  insert into recorded_batch (plain, ids, nodes)
  select plain, array_agg(execution_id order by execution_id, node), array_agg(node order by execution_id, node)
  from recorded
  group by plain
  returning id, plain
), ended as (
  select batch_id, array_agg(execution_id) as ids
  from unnest($11::bigint[], $12::uuid[]) x (batch_id, execution_id)
  group by batch_id
  order by batch_id
), left_all as (
  delete from destination_holder h
  using ended
  where ${batchFirst('ended.batch_id')}
    and h.batch_id = ended.batch_id
    and h.incarnation = $1
    and h.ids <@ ended.ids
  returning h.destination_id
), left_some as (
  update destination_holder h
  set ids = ${idsWithout('ended.ids')}
  from ended
  where ${batchFirst('ended.batch_id')}
    and h.batch_id = ended.batch_id
    and h.incarnation = $1
    and not h.ids <@ ended.ids
  returning h.destination_id
), finished as (
  delete from claim_batch
  where id = any ($9::bigint[])
    and incarnation = $1
)
select (select id from batch where plain) as plain_id,
       (select id from batch where not plain) as batch_id,
       (select array_agg(distinct destination_id) from (select * from left_all union all select * from left_some) f) as freed,
       (select count(*)::integer from recorded) as recorded,
       case when (select count(*) from recorded) < cardinality($2::uuid[])
            then (select array_agg(execution_id::text || '/' || node) from recorded) end as accepted`,
};
