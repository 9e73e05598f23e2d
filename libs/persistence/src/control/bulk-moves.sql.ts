import type { Statement } from '../database/database.js';
import { executionFrom, executionTo, taskFrom, taskTo } from '../database/moves.js';

/** The oldest commands that nobody works on, locked. $1 most. */
export const lockCommands: Statement = {
  name: 'lock-commands',
  text: `
select id, kind, execution_id, root_id, fan_out_id, round, filter, next_fan_out, position, matched, moved
from control
where id = any ($1::bigint[])
for update skip locked`,
};

export const listCommands: Statement = {
  name: 'list-commands',
  text: `
select id, root_id
from control
order by id
limit $1`,
};

/** $1 command, $2 next fan-out, $3 position, $4 rows moved by this turn. */
export const moveCommand: Statement = {
  name: 'move-command',
  text: `
update control
set next_fan_out = $2,
    position = $3,
    moved = moved + $4
where id = $1`,
};

export const endCommand: Statement = {
  name: 'end-command',
  text: `
delete from control
where id = $1`,
};

/**
 * Cancels open children of one fan-out in item order, their tasks and what would come back, and counts them.
 * Parameters: $1 fan-out, $2 first and $3 last id, $4 most, $5 cause (JSON text). The fan-outs of cancelled children close.
 * Returns how many were cancelled, and the last id.
 */
export const cancelChildren: Statement = {
  name: 'cancel-children',
  text: `
with victims as (
  select id, state
  from execution
  where id between $2 and $3
    and state = ${executionFrom('cancel')}
  order by id
  limit $4
  for update
), moved as (
  update execution e
  set state = ${executionTo('cancel')},
      seq = e.seq + 1,
      error = $5,
      finished_at = now()
  from victims v
  where e.id = v.id
  returning e.id, e.seq, v.state as from_state
), facts as (
  insert into event (execution_id, seq, kind, data)
  select id, seq, 'cancelled', '{"error":' || $5 || '}'
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
), tally as (
  update fan_out_tally t
  set cancelled = t.cancelled + x.cancelled,
      paused = t.paused - x.paused,
      closed = t.closed + x.opened
  from (select count(*)::integer as cancelled,
               (count(*) filter (where from_state = 'paused'))::integer as paused,
               (count(*) filter (where from_state in ('ready', 'running')))::integer as opened
        from moved) x
  where t.fan_out_id = $1
), due as (
  insert into fan_out_due (fan_out_id)
  select $1
  where exists (select from moved)
  on conflict do nothing
)
select (select count(*)::integer from moved) as cancelled,
       (select max(id::text) from moved) as last_id`,
};

/** A fan-out takes no more children, and its hand-outs are void. $1 fan-out. */
export const closeFanOut: Statement = {
  name: 'close-fan-out',
  text: `
with handouts as (
  delete from handout
  where fan_out_id = $1
)
update fan_out
set closed = true
where id = $1
  and not sealed`,
};

const filtered = `
  and (e.state = any ($3::execution_state[]))
  and ($4::text is null or e.fingerprint = $4)
  and ($5::text is null or e.error like '%"class":"' || $5 || '"%')
  and ($6::uuid[] is null or e.id = any ($6::uuid[]))
  and ($7::text is null or (e.error is not null and e.error like $7))`;

/** Children that a redrive would move. $1 first id, $2 last id, $3 states, $4 fingerprint, $5 class, $6 ids, $7 pattern of the error. */
export const countMatching: Statement = {
  name: 'count-matching',
  text: `
select count(*)::integer as matched
from execution e
where e.id between $1 and $2${filtered}`,
};

/** The same, by page and locked. $8 most. */
export const lockMatching: Statement = {
  name: 'lock-matching',
  text: `
select e.id
from execution e
where e.id between $1 and $2${filtered}
order by e.id
limit $8
for update`,
};

/**
 * Re-opens children whose failed nodes an executor performs: failed or cancelled -> pending with a fresh budget, their failed
 * and cancelled tasks back to admission. A child that never began starts like a new one.
 * Parameters: $1 fan-out, $2 ids, $3 performed nodes, $4 their queues, $5 their destinations (JSON), $6 node a child starts
 * with (null: it is laid out).
 */
export const redriveChildren: Statement = {
  name: 'redrive-children',
  text: `
with old as (
  select id, state
  from execution
  where id = any ($2::uuid[])
    and state = ${executionFrom('redrive')}
), moved as (
  update execution e
  set state = ${executionTo('redrive')},
      seq = e.seq + 1,
      error = null,
      fingerprint = null,
      finished_at = null
  from old
  where e.id = old.id
  returning e.id, e.seq, e.priority, old.state as from_state
), facts as (
  insert into event (execution_id, seq, kind)
  select id, seq, 'reopened'
  from moved
), tasks as (
  update task t
  set state = ${taskTo('reopen')},
      charged = 0,
      snoozes = 0,
      losses = 0,
      error = null,
      outcome = null,
      finished_at = null
  from moved
  where t.execution_id = moved.id
    and t.state in ('failed', 'cancelled')
    and t.state = ${taskFrom('reopen')}
  returning t.execution_id, t.node
), begun as (
  select execution_id, node from tasks
  union all
  select m.id, $6::smallint
  from moved m
  where $6::smallint is not null
    and not exists (select from task t where t.execution_id = m.id)
), back as (
  insert into comeback (execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, destinations)
  select m.id, b.node, n.queue, f.root_id, f.parent_id, f.id, f.child_version_id, f.child_path, m.priority, true,
         array(select json_array_elements_text(n.destinations::json))
  from begun b
  join moved m on m.id = b.execution_id
  join unnest($3::smallint[], $4::text[], $5::text[]) n (node, queue, destinations) on n.node = b.node
  join fan_out f on f.id = $1
  on conflict (execution_id, node) do nothing
), laid_out as (
  insert into intake (execution_id)
  select m.id
  from moved m
  where $6::smallint is null
    and not exists (select from task t where t.execution_id = m.id)
  on conflict do nothing
), tally as (
  update fan_out_tally t
  set failed = t.failed - x.failed,
      cancelled = t.cancelled - x.cancelled
  from (select (count(*) filter (where from_state = 'failed'))::integer as failed,
               (count(*) filter (where from_state = 'cancelled'))::integer as cancelled
        from moved) x
  where t.fan_out_id = $1
)
select count(*)::integer as moved
from moved`,
};

/** Re-opens fan-outs' merges: the next round. $1 fan-outs. */
export const reopenFanOuts: Statement = {
  name: 'reopen-fan-outs',
  text: `
with opened as (
  update fan_out
  set round = round + 1,
      verdict = 'open',
      verdict_reason = null,
      verdict_at = null,
      closed = false,
      moved_at = now()
  where id = any ($1::bigint[])
    and verdict = 'failed'
  returning id, sealed, round
), admission as (
  update fan_out_admission a
  set done = false
  from opened
  where a.fan_out_id = opened.id
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from opened
  on conflict do nothing
)
select id, sealed, round
from opened`,
};

/** A spawner that failed goes on at its cursor; the children there are attached as they are. $1 fan-out. */
export const continueFanOut: Statement = {
  name: 'continue-fan-out',
  text: `
with opened as (
  update fan_out
  set round = round + 1,
      verdict = 'open',
      verdict_reason = null,
      verdict_at = null,
      closed = false,
      attached = spawned,
      moved_at = now() - interval '1 minute'
  where id = $1
    and verdict = 'failed'
  returning id
)
update fan_out_admission a
set done = false
from opened
where a.fan_out_id = opened.id`,
};

/** Counts of one fan-out move. $1 fan-out, $2 failed, $3 cancelled, $4 closed. */
export const shiftTally: Statement = {
  name: 'shift-tally',
  text: `
with moved as (
  update fan_out_tally
  set failed = failed + $2,
      cancelled = cancelled + $3,
      closed = closed + $4
  where fan_out_id = $1
)
insert into fan_out_due (fan_out_id)
values ($1)
on conflict do nothing`,
};

/** Tasks of one execution go back to pending with a fresh budget, or wait again. $1 execution, $2 nodes, $3 state they enter. */
export const reopenTasks: Statement = {
  name: 'reopen-tasks',
  text: `
update task t
set state = case when $3 then 'waiting'::task_state else ${taskTo('reopen')} end,
    charged = 0,
    snoozes = 0,
    losses = 0,
    error = null,
    outcome = null,
    finished_at = null
where t.execution_id = $1
  and t.node = any ($2::smallint[])
  and t.state = ${taskFrom('reopen')}`,
};

/**
 * Tasks run again though they may have succeeded. $1 execution, $2 nodes that begin again, $3 nodes that follow: they begin
 * once what comes before them has settled. Attempt numbers go on.
 */
export const rerunTasks: Statement = {
  name: 'rerun-tasks',
  text: `
update task t
set state = ${taskTo('rerun')},
    unbegun = t.node = any ($3::smallint[]),
    charged = 0,
    snoozes = 0,
    losses = 0,
    error = null,
    output = null,
    outcome = null,
    finished_at = null
where t.execution_id = $1
  and (t.node = any ($2::smallint[]) or t.node = any ($3::smallint[]))
  and (t.state = ${taskFrom('rerun')} or (t.unbegun and t.state = 'pending'))`,
};

/**
 * Fan-outs of spawners that run again make room for the next generation; what is open in them is cancelled.
 * $1 execution, $2 spawners. Returns the fan-outs.
 */
export const supersedeFanOuts: Statement = {
  name: 'supersede-fan-outs',
  text: `
update fan_out
set superseded = true,
    closed = not sealed
where parent_id = $1
  and node = any ($2::smallint[])
  and not superseded
returning id, root_id, round`,
};

/** Nodes that were skipped or cancelled behind a re-opened one are reached anew. $1 execution, $2 nodes. */
export const forgetTasks: Statement = {
  name: 'forget-tasks',
  text: `
delete from task
where execution_id = $1
  and node = any ($2::smallint[])
  and state in ('skipped', 'cancelled')`,
};

/**
 * Re-opens one execution. $1 id, $2 whether it goes on running at once, $3 event kind, $4 further events after it.
 * Zero rows: its state does not allow it.
 */
export const reopenExecution: Statement = {
  name: 'reopen-execution',
  text: `
with moved as (
  update execution e
  set state = case when $2 then ${executionTo('claim')} else ${executionTo('redrive')} end,
      seq = e.seq + case when $2 then 3 else 1 end,
      starts = e.starts + case when $2 then 1 else 0 end,
      error = null,
      fingerprint = null,
      finished_at = null
  where e.id = $1
    and e.state = ${executionFrom('redrive')}
  returning e.id, e.seq
), retention as (
  delete from timer
  where execution_id = $1
    and kind = 'retention'
)
insert into event (execution_id, seq, kind)
select id, case when $2 then seq - 2 else seq end, case when $2 then 'reopened_running' else 'reopened' end::event_kind
from moved
returning execution_id`,
};

/** Facts about one execution. $1 execution, $2 kinds, $3 nodes, $4 data (one fact each, in order; each kind of one fact). */
export const addFacts: Statement = {
  name: 'add-facts',
  text: `
with bumped as (
  update execution
  set seq = seq + cardinality($2::text[])
  where id = $1
  returning id, seq - cardinality($2::text[]) as before
)
insert into event (execution_id, seq, kind, node, data)
select b.id, b.before + x.n::integer, x.kind::event_kind, x.node, x.data
from bumped b, unnest($2::text[], $3::smallint[], $4::text[]) with ordinality x (kind, node, data, n)`,
};

/** $1 pipeline of a version, $2 key hash, $3 execution. Zero rows: the key is in use. */
export const claimKeyAgain: Statement = {
  name: 'claim-key-again',
  text: `
insert into open_key (pipeline, key_hash, execution_id)
select v.name, $2, $3
from pipeline_version v
where v.id = $1
on conflict do nothing
returning execution_id`,
};
