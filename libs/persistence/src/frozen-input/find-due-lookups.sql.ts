import type { Statement } from '../database/database.js';

/**
 * Look-ups that are due and that this executor can perform, with the roots whose gate they pass. Those of closed fan-outs are
 * forgotten: a spawner that is retried asks again. $1 most, $2 queues, $3 handlers.
 */
export const findDueLookups: Statement = {
  name: 'find-due-lookups',
  text: `
with due as (
  select b.fan_out_id, b.first_index, b.due_at, f.root_id, f.parent_id, f.closed
  from frozen_batch b
  join fan_out f on f.id = b.fan_out_id
  where b.state in ('pending', 'running')
    and b.due_at <= now()
    and b.queue = any ($2::text[])
    and (b.handler is null or b.handler = any ($3::text[]))
), gone as (
  delete from frozen_batch b
  using due
  where due.closed
    and b.fan_out_id = due.fan_out_id
    and b.first_index = due.first_index
)
select fan_out_id as "fanOutId", first_index as "firstIndex", root_id as "rootId"
from due
where not closed
  and marked_lineage(parent_id) is null
order by due_at
limit $1`,
};
