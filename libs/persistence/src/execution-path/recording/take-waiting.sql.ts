import type { Statement } from '../../database/database.js';
import { isOpenNow } from '../destinations/in-force.fragment.js';

/**
 * Hand-outs that waited for destinations with room again, oldest first, taken off the waiting list. One that may not be called
 * yet, for its rate, its own wish or its breaker, keeps them.
 * Parameters: $1 destinations, $2 most of each, $3 queues (null: all), $4 whether the caller knows that they may be called.
 */
export const takeWaiting: Statement = {
  name: 'take-waiting',
  text: `
with next as (
  select w.id, w.handout_id
  from unnest($1::integer[]) x (id)
  left join destination d on d.id = x.id
  cross join lateral (
    select dw.id, dw.handout_id
    from destination_wait dw
    where dw.destination_id = x.id
      and ($4::boolean or (${isOpenNow('d')}))
      and ($3::text[] is null
           or exists (select from handout hw where hw.id = dw.handout_id and hw.queue = any ($3::text[])))
    order by dw.id
    limit $2
    for update of dw skip locked
  ) w
), gone as (
  delete from destination_wait
  using next
  where destination_wait.id = next.id
)
select h.id, h.queue, h.root_id, h.parent_id, h.fan_out_id, h.version_id, h.child_path, h.node, h.size, h.suspect,
       h.destinations, h.first_id is not null as range
from handout h
join next on next.handout_id = h.id
order by next.id`,
};
