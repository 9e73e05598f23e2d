import type { Statement } from '../database/database.js';

/** What lies below executions that were cancelled is cancelled by commands, behind marks. $1 executions. */
export const cancelBelow: Statement = {
  name: 'cancel-below',
  text: `
with parents as (
  select distinct parent_id, root_id
  from fan_out
  where parent_id = any ($1::uuid[])
), marks as (
  insert into mark (execution_id, root_id, kind, from_state)
  select parent_id, root_id, 'cancel', 'running'
  from parents
  on conflict (execution_id, fan_out_id) do update
  set kind = excluded.kind,
      cascade = true
)
insert into control (kind, execution_id, root_id)
select 'cancel', parent_id, root_id
from parents`,
};
