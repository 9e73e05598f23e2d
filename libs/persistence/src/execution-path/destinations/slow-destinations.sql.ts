import type { Statement } from '../../database/database.js';
import { askedDestinations } from './asked-destinations.fragment.js';

/**
 * Whole destinations wait, then start again at one call.
 *
 * Parameters: as the fragment, $2 milliseconds to wait; $6 whether the destination itself asked for the time, one for each of $1.
 * Guard: rows are locked in id order; a wait in force is never made shorter. One that finds its limit by itself waits only where
 * it asked for it: it is made narrower instead. What is not there yet becomes an implicit destination of its name.
 */
export const slowDestinations: Statement = {
  name: 'slow-destinations',
  text: `
with ${askedDestinations.trim()}, slowed as (
  update destination d
  set throttled_until = greatest(d.throttled_until, now() + longest.wait_ms * interval '1 millisecond'),
      ramp = 1
  from (
    select f.id, max(f.n) as wait_ms, bool_or(x.itself) as itself
    from found f
    join locked l on l.id = f.id
    join unnest($6::boolean[]) with ordinality x (itself, position) on x.position = f.position
    group by f.id
  ) longest
  where d.id = longest.id
    and (longest.itself or not d.adaptive)
)
insert into destination (name, implicit, ramp, throttled_until)
select a.name, true, 1, now() + max(a.n) * interval '1 millisecond'
from asked a
where a.name is not null
  and not exists (select from found f where f.position = a.position)
group by a.name
order by a.name
on conflict (name) do update
set throttled_until = greatest(destination.throttled_until, excluded.throttled_until),
    ramp = 1`,
};
