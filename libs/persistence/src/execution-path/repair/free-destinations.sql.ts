import type { Statement } from '../../database/database.js';
import { isOpenNow, limitInForce } from '../destinations/in-force.fragment.js';
import { placesHeld } from '../destinations/places.fragment.js';

/**
 * Destinations that hand-outs wait for and that have room: a raised limit, a holder that is gone, a throttle or an open breaker
 * that is over, a rate with room again.
 */
export const freeDestinations: Statement = {
  name: 'free-destinations',
  text: `
select x.id,
       case when x."limit" is null then 1000 else x."limit" - x.held end::integer as room
from (
  select w.destination_id as id,
         d.id is null as gone,
         ${limitInForce('d')} as "limit",
         ${placesHeld('d.id')} as held,
         ${isOpenNow('d')} as open
  from (select distinct destination_id from destination_wait) w
  left join destination d on d.id = w.destination_id
) x
where x.gone
   or (x.open and (x."limit" is null or x.held < x."limit"))`,
};
