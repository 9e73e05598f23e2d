import type { Statement } from '../../database/database.js';

/** Destinations that hand-outs wait for and that have room: a raised limit, a holder that is gone, a throttle that is over. */
export const freeDestinations: Statement = {
  name: 'free-destinations',
  text: `
select w.destination_id as id,
       case when d.id is null or least(d.max_concurrency, d.ramp) is null then 1000
            else least(d.max_concurrency, d.ramp) - (select count(*) from destination_holder h where h.destination_id = d.id) end::integer as room
from (select distinct destination_id from destination_wait) w
left join destination d on d.id = w.destination_id
where d.id is null
   or ((d.throttled_until is null or d.throttled_until <= now())
       and (least(d.max_concurrency, d.ramp) is null
            or (select count(*) from destination_holder h where h.destination_id = d.id) < least(d.max_concurrency, d.ramp)))`,
};
