import type { Statement } from '../database/database.js';
import { givesWay, limitInForce } from '../execution-path/destinations/in-force.fragment.js';
import { placesHeld } from '../execution-path/destinations/places.fragment.js';

/**
 * Destinations among those named that limit anything, with what they have now.
 * $1 text[]: names, $2 text[]: hosts.
 */
export const waitingDestinations: Statement = {
  name: 'waiting-destinations',
  text: `
select d.name, ${limitInForce('d')} as "limit",
  ${placesHeld('d.id')} as held,
  greatest(0, extract(epoch from d.throttled_until - now()) * 1000)::float8 as "throttledForMs",
  greatest(0, extract(epoch from d.breaker_until - now()) * 1000)::float8 as "openForMs",
  d.breaker_opens > 0 as "isProbed",
  d.paused_at is not null as "isPaused",
  ${givesWay('d')} as "givesWay",
  d.rate, d.rate_state as "rateState",
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now
from destination d
where d.name = any ($1::text[])
   or d.host = any ($2::text[])
order by d.id`,
};
