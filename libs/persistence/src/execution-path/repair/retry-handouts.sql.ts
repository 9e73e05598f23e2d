import type { Statement } from '../../database/database.js';

/**
 * Hand-outs whose message must be lost, each again after 3, 6, 12 … 60 s. What waits for a destination or stands under a
 * mark is left alone. $1 queue, $2 most.
 */
export const retryHandouts: Statement = {
  name: 'retry-handouts',
  text: `
with stale as (
  select id
  from handout h
  where h.queue = $1
    and h.next_check_at <= now()
    and not exists (select from destination_wait w where w.handout_id = h.id)
    and (not exists (select from mark m where m.root_id = h.root_id)
         or marked_together(h.parent_id, h.fan_out_id, h.first_id, h.ids) is null)
  order by h.next_check_at
  limit $2
  for update skip locked
)
update handout h
set tries = h.tries + 1,
    next_check_at = now() + least(60, 3 * 2 ^ least(h.tries + 1, 10)) * interval '1 second'
from stale
where h.id = stale.id
returning h.id, h.queue, h.root_id, h.parent_id, h.fan_out_id, h.version_id, h.child_path, h.node, h.size, h.suspect,
          h.destinations, h.first_id is not null as range`,
};
