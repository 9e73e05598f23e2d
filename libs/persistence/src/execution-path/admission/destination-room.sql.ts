import type { Statement } from '../../database/database.js';
import { limitInForce, limitsAnything } from '../destinations/in-force.fragment.js';
import { placesHeld } from '../destinations/places.fragment.js';

/**
 * Destinations in force among the given names, with what holds them and what is on its way to them.
 * $1 names and host names (`host:…`), $2 milliseconds until a hand-out is checked from which on it counts as resting: handed out a
 * while ago, waiting for no destination, and taken by nobody.
 */
export const destinationRoom: Statement = {
  name: 'destination-room',
  text: `
select d.id,
       d.name,
       d.host,
       ${limitInForce('d')} as "limit",
       coalesce(d.throttled_until > now() or d.breaker_until > now(), false) as throttled,
       d.rate,
       d.rate_state as "rateState",
       (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
       ${placesHeld('d.id')} as held,
       r.ready,
       r.resting
from destination d
cross join lateral (
  select coalesce(sum(o.size), 0)::integer as ready,
         coalesce(sum(o.size) filter (where o.next_check_at <= now() + $2 * interval '1 millisecond'
           and not exists (select from destination_wait w where w.handout_id = o.id)), 0)::integer as resting
  from handout o
  where o.destinations && array[d.name, 'host:' || coalesce(d.host, '')]
) r
where (d.name = any ($1::text[]) or 'host:' || d.host = any ($1::text[]))
  and ${limitsAnything('d')}`,
};
