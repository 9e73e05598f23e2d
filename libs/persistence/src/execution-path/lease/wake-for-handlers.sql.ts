import type { Statement } from '../../database/database.js';

/**
 * What waited for a handler is due at once, as an executor has come that may have it. $1 text[]: queues, $2 most. What is beyond
 * that comes by its own time.
 */
export const wakeForHandlers: Statement = {
  name: 'wake-for-handlers',
  text: `
with waiting as (
  select c.execution_id, c.node
  from comeback c
  join task t on t.execution_id = c.execution_id and t.node = c.node
  where c.queue = any ($1::text[])
    and c.available_at > now()
    and t.error like '%"code":"HANDLER.UNKNOWN"%'
  order by c.available_at
  limit $2
  for update of c skip locked
)
update comeback c
set available_at = now()
from waiting w
where c.execution_id = w.execution_id
  and c.node = w.node`,
};
