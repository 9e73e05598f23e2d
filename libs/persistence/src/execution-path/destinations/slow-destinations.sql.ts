import type { Statement } from '../../database/database.js';

/**
 * Whole destinations wait, then start again at one call.
 *
 * Parameters: $1 names, $2 milliseconds to wait; $3 positions in $1 (from 1) and $4 hosts under which an explicit destination
 * may be registered, as pairs.
 * Guard: rows are locked in id order; a wait in force is never made shorter. Who is found neither by name nor by host becomes an
 * implicit destination of that name.
 */
export const slowDestinations: Statement = {
  name: 'slow-destinations',
  text: `
with asked as (
  select a.name, a.wait_ms, a.position
  from unnest($1::text[], $2::integer[]) with ordinality a (name, wait_ms, position)
), found as (
  select d.id, a.position, a.wait_ms
  from asked a
  join destination d on d.name = a.name
  union
  select d.id, a.position, a.wait_ms
  from unnest($3::integer[], $4::text[]) h (position, host)
  join asked a on a.position = h.position
  join destination d on d.host = h.host
), locked as (
  select id
  from destination
  where id in (select id from found)
  order by id
  for update
), slowed as (
  update destination d
  set throttled_until = greatest(d.throttled_until, now() + longest.wait_ms * interval '1 millisecond'),
      ramp = 1
  from (
    select f.id, max(f.wait_ms) as wait_ms
    from found f
    join locked l on l.id = f.id
    group by f.id
  ) longest
  where d.id = longest.id
)
insert into destination (name, implicit, ramp, throttled_until)
select a.name, true, 1, now() + max(a.wait_ms) * interval '1 millisecond'
from asked a
where not exists (select from found f where f.position = a.position)
group by a.name
order by a.name
on conflict (name) do update
set throttled_until = greatest(destination.throttled_until, excluded.throttled_until),
    ramp = 1`,
};
