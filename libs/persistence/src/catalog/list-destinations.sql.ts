import { firstAdaptiveLimit } from '@app/domain';
import type { Statement } from '../database/database.js';
import { limitInForce } from '../execution-path/destinations/in-force.fragment.js';
import { placesHeld } from '../execution-path/destinations/places.fragment.js';

/**
 * Destinations by name with what they hold right now.
 * $1 text: after this name, null from the start. $2 int: at most so many. $3 text: only this one, or null.
 */
export const listDestinations: Statement = {
  name: 'list-destinations',
  text: `
select d.name, d.host, d.implicit, d.max_concurrency as "maxConcurrency", d.rate, d.rate_state as "rateState",
  d.adaptive, case when d.adaptive then coalesce(d.adaptive_limit, ${firstAdaptiveLimit}) end as "adaptiveLimit", d.ramp,
  ${limitInForce('d')} as "limit",
  d.breaker_opens as "breakerOpens",
  case when d.breaker_until > now() then d.breaker_until end as "breakerUntil",
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
  case when d.throttled_until > now() then d.throttled_until end as "throttledUntil",
  d.paused_at as "pausedAt",
  d.created_at as "createdAt", d.updated_at as "updatedAt",
  ${placesHeld('d.id')} as "inUse",
  (select coalesce(sum(o.size), 0)
    from destination_wait w
    join handout o on o.id = w.handout_id
    where w.destination_id = d.id) as waiting
from destination d
where ($1::text is null or d.name > $1 collate "C")
  and ($3::text is null or d.name = $3)
order by d.name collate "C"
limit $2`,
};
