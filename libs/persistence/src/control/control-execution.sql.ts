import type { Statement } from '../database/database.js';
import { executionFrom, executionTo, taskFrom, taskTo } from '../database/moves.js';

/** Where an execution stands, to take its gate. $1 execution. */
export const whereIs: Statement = {
  name: 'where-is',
  text: `
select e.id, e.state, e.fan_out_id, coalesce(f.root_id, e.id) as root_id, f.parent_id
from execution e
left join fan_out f on f.id = e.fan_out_id
where e.id = $1`,
};

/** An execution and everything above it, nearest first, locked from the root down by lock-lineage before. $1 execution. */
export const readLineage: Statement = {
  name: 'read-lineage',
  text: `
with recursive line (id, level) as (
  select $1::uuid, 0
  union all
  select f.parent_id, line.level + 1
  from line
  join execution e on e.id = line.id
  join fan_out f on f.id = e.fan_out_id
)
select e.id, e.seq, e.state, e.fan_out_id, e.business_key, e.version_id, line.level,
       f.node as spawner, f.merge_node, f.verdict, f.verdict_reason, f.round, f.generation, f.sealed, f.closed,
       (select m.kind from mark m where m.execution_id = e.id) as mark
from line
join execution e on e.id = line.id
left join fan_out f on f.id = e.fan_out_id
order by line.level`,
};

/** Locks a lineage from the root down, then its control rows. $1 executions, root first. */
export const lockLineage: Statement = {
  name: 'lock-lineage',
  text: `
select e.id
from unnest($1::uuid[]) with ordinality x (id, n)
join execution e on e.id = x.id
order by x.n
for update of e`,
};

/** Fan-outs below an execution, at every depth: those whose parent is it or one of its descendants. $1 execution, $2 root. */
const below = `
with recursive below (id) as (
  select id
  from fan_out
  where parent_id = $1
  union
  select f.id
  from below b
  join fan_out f on f.root_id = $2
  join execution p on p.id = f.parent_id and p.fan_out_id = b.id
)`;

/** Whether anything below an execution is open. $1 execution, $2 root. */
export const anythingOpenBelow: Statement = {
  name: 'anything-open-below',
  text: `${below}
select exists (
  select
  from below b
  join fan_out f on f.id = b.id
  join fan_out_tally t on t.fan_out_id = f.id
  where f.spawned > t.succeeded + t.failed + t.cancelled
) as open`,
};

/** A fan-out and those below its children, by number. $1 fan-out, $2 root, $3 number to go on after, $4 most. */
export const fanOutsFrom: Statement = {
  name: 'fan-outs-from',
  text: `
with recursive below (id) as (
  select $1::bigint
  union
  select f.id
  from below b
  join fan_out f on f.root_id = $2
  join execution p on p.id = f.parent_id and p.fan_out_id = b.id
)
select id
from below
where id > $3
order by id
limit $4`,
};

/** The next fan-outs below an execution, by number. $1 execution, $2 root, $3 number to go on after, $4 most. */
export const fanOutsBelow: Statement = {
  name: 'fan-outs-below',
  text: `${below}
select f.id
from below b
join fan_out f on f.id = b.id
where f.id > $3
order by f.id
limit $4`,
};

/** $1 execution, $2 root, $3 kind, $4 whether it reaches what is below, $5 the state it was in. */
export const putMark: Statement = {
  name: 'put-mark',
  text: `
insert into mark (execution_id, root_id, kind, cascade, from_state)
values ($1, $2, $3::mark_kind, $4, $5::execution_state)
on conflict (execution_id) do update
set kind = excluded.kind,
    cascade = excluded.cascade`,
};

/** $1 execution. Returns the state that a pause found. */
export const removeMark: Statement = {
  name: 'remove-mark',
  text: `
delete from mark
where execution_id = $1
returning from_state`,
};

/** Pauses one execution. $1 execution. Zero rows: its state does not allow it. */
export const pauseExecution: Statement = {
  name: 'pause-execution',
  text: `
with old as (
  select id, state
  from execution
  where id = $1
), moved as (
  update execution e
  set state = ${executionTo('pause')},
      seq = e.seq + 1
  from old
  where e.id = old.id
    and e.state = ${executionFrom('pause')}
  returning e.id, e.seq, e.fan_out_id, old.state as from_state
), facts as (
  insert into event (execution_id, seq, kind, data)
  select id, seq, 'paused', '{"from":"' || upper(from_state::text) || '"}'
  from moved
), tally as (
  update fan_out_tally t
  set paused = t.paused + 1
  from moved
  where t.fan_out_id = moved.fan_out_id
)
select from_state, fan_out_id
from moved`,
};

/** Ready tasks of one execution go back to pending. $1 execution. Returns their nodes. */
export const takeBackReady: Statement = {
  name: 'take-back-ready',
  text: `
update task t
set state = ${taskTo('take_back')}
where t.execution_id = $1
  and t.state = ${taskFrom('take_back')}
returning t.node`,
};

/** A child that was handed out and is not any more is not open either. $1 fan-out. */
export const closeOpened: Statement = {
  name: 'close-opened',
  text: `
update fan_out_admission
set opened = opened - 1
where fan_out_id = $1`,
};

/** Resumes one execution to where it was. $1 execution, $2 whether it had started. Zero rows: it is not paused. */
export const resumeExecution: Statement = {
  name: 'resume-execution',
  text: `
with moved as (
  update execution e
  set state = case when $2 then ${executionTo('resume_started')} else ${executionTo('resume_unstarted')} end,
      seq = e.seq + 1
  where e.id = $1
    and e.state = ${executionFrom('resume_started')}
  returning e.id, e.seq, e.fan_out_id
), facts as (
  insert into event (execution_id, seq, kind)
  select id, seq, 'resumed'
  from moved
), tally as (
  update fan_out_tally t
  set paused = t.paused - 1
  from moved
  where t.fan_out_id = moved.fan_out_id
)
select id
from moved`,
};

/** What rested below a pause is looked at again at once. $1 root. */
export const wakeBelow: Statement = {
  name: 'wake-below',
  text: `
with spawners as (
  update fan_out
  set moved_at = now() - interval '1 minute'
  where root_id = $1
    and not sealed
    and not closed
), handouts as (
  update handout
  set next_check_at = now(),
      tries = 0
  where root_id = $1
)
update intake i
set at = i.at - interval '1 minute'
from execution e
left join fan_out f on f.id = e.fan_out_id
where e.id = i.execution_id
  and coalesce(f.root_id, e.id) = $1`,
};

/**
 * Cancels one execution: it, its tasks, what would come back. $1 execution, $2 cause (JSON text of the failure).
 * Zero rows: it has settled.
 */
export const cancelExecution: Statement = {
  name: 'cancel-execution',
  text: `
with old as (
  select id, state
  from execution
  where id = $1
), moved as (
  update execution e
  set state = ${executionTo('cancel')},
      seq = e.seq + 1,
      error = $2,
      finished_at = now()
  from old
  where e.id = old.id
    and e.state = ${executionFrom('cancel')}
  returning e.id, e.seq, e.fan_out_id, old.state as from_state
), facts as (
  insert into event (execution_id, seq, kind, data)
  select id, seq, 'cancelled', '{"error":' || $2 || '}'
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
  set cancelled = t.cancelled + 1,
      paused = t.paused - case when moved.from_state = 'paused' then 1 else 0 end,
      closed = t.closed + case when moved.from_state in ('ready', 'running') then 1 else 0 end
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
from moved`,
};

/** $1 kind, $2 execution, $3 root, $4 fan-out, $5 round, $6 filter, $7 matched. */
export const addCommand: Statement = {
  name: 'add-command',
  text: `
insert into control (kind, execution_id, root_id, fan_out_id, round, filter, matched)
values ($1::control_kind, $2, $3, $4, $5, $6, $7)
returning id`,
};

/** An execution to be looked at by settlement, as if something of it had been recorded. $1 execution. */
export const askForProgress: Statement = {
  name: 'ask-for-progress',
  text: `
insert into recorded_batch (ids, nodes)
values (array[$1::uuid], array[0::smallint])
returning id`,
};

/** A task of one execution is to be admitted. $1 JSON object of a comeback row. */
export const putComeback: Statement = {
  name: 'put-comeback',
  text: `
insert into comeback (execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, suspect,
                      destinations, available_at)
select execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, false, destinations, now()
from json_to_recordset($1::json) x (execution_id uuid, node smallint, queue text, root_id uuid, parent_id uuid, fan_out_id bigint,
  version_id integer, child_path smallint[], priority smallint, child boolean, destinations text[])
on conflict (execution_id, node) do update
set available_at = now(),
    child = excluded.child`,
};
