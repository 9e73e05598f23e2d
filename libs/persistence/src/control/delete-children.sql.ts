import type { Statement } from '../database/database.js';

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
), timers as (
  delete from timer t
  using doomed
  where t.execution_id = doomed.id
), signals as (
  delete from signal s
  using doomed
  where s.execution_id = doomed.id
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
