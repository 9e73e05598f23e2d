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

/**
 * Tasks to be admitted. Parameters: $1 executions, $2 nodes, $3 queues, $4 roots, $5 parents, $6 fan-outs, $7 versions,
 * $8 child paths as JSON, $9 priorities, $10 whether the execution itself is pending, $11 suspects, $12 destinations as JSON,
 * $13 milliseconds until they are available.
 */
export const comeBack: Statement = {
  name: 'come-back',
  text: `
insert into comeback (execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, suspect,
                      destinations, available_at)
select x.execution_id, x.node, x.queue, x.root_id, x.parent_id, x.fan_out_id, x.version_id,
       array(select json_array_elements_text(x.child_path::json)::smallint),
       x.priority, x.child, x.suspect,
       array(select json_array_elements_text(x.destinations::json)),
       now() + x.available_in * interval '1 millisecond'
from unnest($1::uuid[], $2::smallint[], $3::text[], $4::uuid[], $5::uuid[], $6::bigint[], $7::integer[], $8::text[], $9::smallint[],
            $10::boolean[], $11::boolean[], $12::text[], $13::bigint[])
  x (execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, suspect, destinations, available_in)
on conflict (execution_id, node) do update
set available_at = excluded.available_at,
    suspect = excluded.suspect`,
};

/**
 * Adds settled children to their tallies, one sum a fan-out, in fan-out order, and marks the fan-outs due.
 * Parameters: $1 fan-outs (ascending), $2 succeeded, $3 failed, $4 cancelled, $5 paused, $6 children that had been opened.
 * Returns the new tallies with what a verdict needs to be likely.
 */
export const moveTallies: Statement = {
  name: 'move-tallies',
  text: `
with locked as (
  select fan_out_id
  from fan_out_tally
  where fan_out_id = any ($1::bigint[])
  order by fan_out_id
  for update
), moved as (
  update fan_out_tally t
  set succeeded = t.succeeded + x.succeeded,
      failed = t.failed + x.failed,
      cancelled = t.cancelled + x.cancelled,
      paused = t.paused + x.paused,
      closed = t.closed + x.closed
  from unnest($1::bigint[], $2::integer[], $3::integer[], $4::integer[], $5::integer[], $6::integer[])
    x (fan_out_id, succeeded, failed, cancelled, paused, closed), locked
  where t.fan_out_id = x.fan_out_id
    and locked.fan_out_id = t.fan_out_id
  returning t.fan_out_id, t.succeeded, t.failed, t.cancelled
), due as (
  insert into fan_out_due (fan_out_id)
  select fan_out_id
  from moved
  on conflict do nothing
)
select m.fan_out_id, m.succeeded, m.failed, m.cancelled, f.spawned, f.total, f.sealed, f.queue
from moved m
join fan_out f on f.id = m.fan_out_id`,
};

/** What ends with top-level executions: their business key, their timers. $1 executions. */
export const closeExecutions: Statement = {
  name: 'close-executions',
  text: `
with keys as (
  delete from open_key
  where execution_id = any ($1::uuid[])
)
delete from timer
where execution_id = any ($1::uuid[])
  and kind <> 'retention'`,
};

/** $1 executions, $2 milliseconds from now. */
export const setRetention: Statement = {
  name: 'set-retention',
  text: `
insert into timer (kind, execution_id, due_at)
select 'retention', x.id, now() + x.ms * interval '1 millisecond'
from unnest($1::uuid[], $2::bigint[]) x (id, ms)`,
};
