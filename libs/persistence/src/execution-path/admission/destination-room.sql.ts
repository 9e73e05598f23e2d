import type { Statement } from '../../database/database.js';

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
       least(d.max_concurrency, d.ramp) as "limit",
       d.throttled_until > now() as throttled,
       (select count(*)::integer from destination_holder h where h.destination_id = d.id) as held,
       (select coalesce(sum(o.size), 0)::integer
        from handout o
        where o.destinations && array[d.name, 'host:' || coalesce(d.host, '')]) as ready
from destination d
where (d.name = any ($1::text[]) or 'host:' || d.host = any ($1::text[]))
  and (d.max_concurrency is not null or d.ramp is not null or d.throttled_until > now())`,
};
