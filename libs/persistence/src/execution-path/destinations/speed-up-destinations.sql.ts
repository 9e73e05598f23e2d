import type { Statement } from '../../database/database.js';

/**
 * Destinations that answered well: the breaker closes, and they may be called twice as much, until their limit is reached and the
 * ramp is over.
 *
 * Parameters: $1 destinations, $2 where the ramp of one without a limit ends.
 * Guard: only while it ramps or its breaker is not closed, and not while it still waits: an answer to a call made before the
 * wait says nothing.
 */
export const speedUpDestinations: Statement = {
  name: 'speed-up-destinations',
  text: `
with locked as (
  select id
  from destination
  where id = any ($1::integer[])
    and (ramp is not null or breaker_opens > 0)
    and (throttled_until is null or throttled_until <= now())
    and (breaker_until is null or breaker_until <= now())
  order by id
  for no key update
)
update destination d
set ramp = case when d.ramp >= coalesce(least(d.max_concurrency, d.adaptive_limit), $2::integer) / 2.0 then null else d.ramp * 2 end,
    breaker_opens = 0,
    breaker_until = null
from locked
where d.id = locked.id`,
};
