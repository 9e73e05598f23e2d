import type { Statement } from '../database/database.js';
import { isFreeSpawner } from '../execution-path/spawning/free-spawner.fragment.js';

/**
 * Look-ups that are due and that this executor can perform, with the roots whose gate they pass. Those of closed fan-outs are
 * forgotten: a spawner that is retried asks again. $1 most, $2 queues, $3 handlers.
 */
export const findDueLookups: Statement = {
  name: 'find-due-lookups',
  text: `
with closed as (
  select b.fan_out_id, b.first_index
  from frozen_batch b
  join fan_out f on f.id = b.fan_out_id
  where b.state in ('pending', 'running')
    and b.due_at <= now()
    and f.closed
  order by b.due_at
  limit 1000
), gone as (
  delete from frozen_batch b
  using closed
  where b.fan_out_id = closed.fan_out_id
    and b.first_index = closed.first_index
)
select b.fan_out_id as "fanOutId", b.first_index as "firstIndex", f.root_id as "rootId"
from frozen_batch b
join fan_out f on f.id = b.fan_out_id
where b.state in ('pending', 'running')
  and b.due_at <= now()
  and b.queue = any ($2::text[])
  and (b.handler is null or b.handler = any ($3::text[]))
  and not f.closed
  and ${isFreeSpawner('f')}
order by b.due_at
limit $1`,
};
