import type { Statement } from '../../database/database.js';
import { limitInForce, limitsAnything } from '../destinations/in-force.fragment.js';
import { placesHeld } from '../destinations/places.fragment.js';

/**
 * Destinations in force among the given names, with what holds them and what is on its way to them.
 * $1 names and host names (`host:…`).
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
       (select coalesce(sum(o.size), 0)::integer
        from handout o
        where o.destinations && array[d.name, 'host:' || coalesce(d.host, '')]) as ready
from destination d
where (d.name = any ($1::text[]) or 'host:' || d.host = any ($1::text[]))
  and ${limitsAnything('d')}`,
};
