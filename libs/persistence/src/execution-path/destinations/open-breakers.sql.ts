import type { Statement } from '../../database/database.js';
import { askedDestinations } from './asked-destinations.fragment.js';

/**
 * Breakers of destinations that somebody has set up open: for longer each time until a success closes them. A host that nobody has
 * named has none: its calls fail and are retried as their nodes say.
 *
 * Parameters: as the fragment, $2 milliseconds since the failing call began; $6 and $7 milliseconds that a breaker opens for the
 * first time, and at most.
 * Guard: not while it is open, and not by a call that began before it was: that says nothing about the time since.
 */
export const openBreakers: Statement = {
  name: 'open-breakers',
  text: `
with ${askedDestinations.trim()}
update destination d
set breaker_until = clock_timestamp() + least($7::integer, $6::integer * 2 ^ least(d.breaker_opens, 20)) * interval '1 millisecond',
    breaker_opens = least(d.breaker_opens + 1, 1000),
    ramp = 1
from (
  select f.id, min(f.n) as age_ms
  from found f
  join locked l on l.id = f.id
  group by f.id
) latest
where d.id = latest.id
  and not d.implicit
  and (d.breaker_until is null or d.breaker_until <= clock_timestamp() - latest.age_ms * interval '1 millisecond')`,
};
