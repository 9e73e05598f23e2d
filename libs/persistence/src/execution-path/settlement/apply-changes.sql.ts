import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * The second half: tasks move or are born, and the facts are written.
 *
 * Parameters: $1-$10 changed tasks (executions, nodes, states they leave (null: born), states they enter, milliseconds until they
 * are available (null: now), charged, snoozes, losses, outputs (null: as it is), errors); $11-$16 events (executions,
 * numbers, kinds, nodes, attempts, data).
 * Guard: a task leaves the state it was loaded in. Returns how many tasks moved; fewer than asked is a defect and the
 * caller rolls back.
 */
export const applyChanges: Statement = {
  name: 'apply-changes',
  text: `
with x as (
  select *
  from unnest($1::uuid[], $2::smallint[], $3::task_state[], $4::task_state[], $5::bigint[], $6::smallint[], $7::smallint[], $8::smallint[],
              $9::text[], $10::text[])
    x (execution_id, node, from_state, to_state, available_in, charged, snoozes, losses, output, error)
), moved as (
  update task t
  set state = x.to_state,
      available_at = now() + x.available_in * interval '1 millisecond',
      finished_at = case when x.to_state in ('pending', 'waiting') then null else coalesce(t.finished_at, now()) end,
      started_at = case when x.to_state = 'waiting' then now() else t.started_at end,
      charged = x.charged,
      snoozes = x.snoozes,
      losses = x.losses,
      unbegun = false,
      output = coalesce(x.output, t.output),
      error = case when x.to_state = 'succeeded' then null else coalesce(x.error, t.error) end
  from x
  where x.from_state is not null
    and ${batchFirst('x.node')}
    and t.execution_id = x.execution_id
    and t.node = x.node
    and t.shard = 0
    and t.state = x.from_state
  returning 1
), born as (
  insert into task (execution_id, node, state, started_at, finished_at, output, error)
  select execution_id,
         node,
         to_state,
         case when to_state <> 'pending' then now() end,
         case when to_state in ('succeeded', 'failed', 'cancelled', 'skipped') then now() end,
         output,
         error
  from x
  where from_state is null
  returning 1
), facts as (
  insert into event (execution_id, seq, kind, node, attempt, data)
  select *
  from unnest($11::uuid[], $12::integer[], $13::event_kind[], $14::smallint[], $15::integer[], $16::text[])
)
select (select count(*)::integer from moved) + (select count(*)::integer from born) as changed`,
};
