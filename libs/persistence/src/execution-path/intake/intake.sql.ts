import type { Statement } from '../../database/database.js';

/** Root executions of those that wait to be laid out. $1 executions. */
export const rootsOfExecutions: Statement = {
  name: 'roots-of-executions',
  text: `
select distinct coalesce(f.root_id, e.id) as root_id
from intake i
join execution e on e.id = i.execution_id
left join fan_out f on f.id = e.fan_out_id
where i.execution_id = any ($1::uuid[])`,
};

/**
 * Takes executions off the waiting list; what is paused or cancelled at any height stays on it, and what somebody else is
 * taking is left to him. $1 executions.
 */
export const takeIntake: Statement = {
  name: 'take-intake',
  text: `
with free as (
  select i.execution_id
  from intake i
  where i.execution_id = any ($1::uuid[])
    and marked_lineage(i.execution_id) is null
  order by i.execution_id
  for update skip locked
)
delete from intake
using free
where intake.execution_id = free.execution_id
returning intake.execution_id`,
};

/** $1 age in milliseconds, $2 most. */
export const findWaitingIntake: Statement = {
  name: 'find-waiting-intake',
  text: `
select execution_id
from intake
where at < now() - $1 * interval '1 millisecond'
order by at
limit $2`,
};
