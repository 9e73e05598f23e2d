import type { Statement } from '../database/database.js';

/** $1 execution. */
export const tasksOf: Statement = {
  name: 'tasks-of',
  text: `
select node, state
from task
where execution_id = $1`,
};

/** The latest generation of each fan-out of an execution. $1 execution. */
export const fanOutsOf: Statement = {
  name: 'fan-outs-of',
  text: `
select distinct on (node) id, root_id, parent_id, node, merge_node, verdict, verdict_reason, sealed, closed, round, child_version_id, child_path,
       child_node
from fan_out
where parent_id = $1
  and not superseded
order by node, generation desc`,
};

/** $1 fan-out. */
export const fanOutForRedrive: Statement = {
  name: 'fan-out-for-redrive',
  text: `
select id, root_id, parent_id, node, merge_node, verdict, verdict_reason, sealed, closed, round, child_version_id, child_path, child_node
from fan_out
where id = $1`,
};

/** Changes a fan-out's limits live. $1 fan-out, $2 set the concurrency, $3 concurrency, $4 tolerance, $5 priority. */
export const patchFanOut: Statement = {
  name: 'patch-fan-out',
  text: `
with patched as (
  update fan_out
  set max_concurrency = case when $2 then $3 else max_concurrency end,
      tolerance = coalesce($4, tolerance),
      priority = coalesce($5, priority)
  where id = $1
  returning id
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from patched
  on conflict do nothing
)
update comeback c
set priority = coalesce($5, c.priority)
from patched
where c.fan_out_id = patched.id`,
};

/** Top-level executions are deleted in batches: this one is told to go. $1 execution. Zero rows: it is open or not top-level. */
export const deletable: Statement = {
  name: 'deletable',
  text: `
select e.id, e.state
from execution e
where e.id = $1
  and e.fan_out_id is null
for update`,
};

/** Deletes rows of one fan-out's children. $1 first id, $2 last id, $3 most. */
export const deleteChildren: Statement = {
  name: 'delete-children',
  text: `
with doomed as (
  select id
  from execution
  where id between $1 and $2
  order by id
  limit $3
), tasks as (
  delete from task t
  using doomed
  where t.execution_id = doomed.id
), events as (
  delete from event v
  using doomed
  where v.execution_id = doomed.id
), logs as (
  delete from log_line l
  using doomed
  where l.execution_id = doomed.id
), gone as (
  delete from execution e
  using doomed
  where e.id = doomed.id
  returning e.id
)
select count(*)::integer as deleted
from gone`,
};

/** $1 fan-out. */
export const deleteFanOut: Statement = {
  name: 'delete-fan-out',
  text: `
with keys as (
  delete from item_key
  where fan_out_id = $1
), handouts as (
  delete from handout
  where fan_out_id = $1
), due as (
  delete from fan_out_due
  where fan_out_id = $1
), lists as (
  delete from dataset d
  using fan_out f
  where f.id = $1
    and d.id = f.list_id
    and d.internal
)
delete from fan_out
where id = $1`,
};

/** $1 top-level execution. */
export const deleteTop: Statement = {
  name: 'delete-top',
  text: `
with tasks as (
  delete from task
  where execution_id = $1
), events as (
  delete from event
  where execution_id = $1
), logs as (
  delete from log_line
  where execution_id = $1
), marks as (
  delete from mark
  where root_id = $1
), timers as (
  delete from timer
  where execution_id = $1
), uses as (
  delete from dataset_use
  where execution_id = $1
), keys as (
  delete from open_key
  where execution_id = $1
)
delete from execution
where id = $1`,
};
