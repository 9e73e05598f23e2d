import type { Statement } from '../../database/database.js';

/**
 * Takes executions off the waiting list; what is paused or cancelled at any height stays on it, and what somebody else is
 * taking is left to him. $1 executions. `nodes`: what a large one goes on with; null: it is laid out.
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
returning intake.execution_id, intake.nodes`,
};
