import type { Statement } from '../database/database.js';

/** What rested below a pause is looked at again at once. $1 root. */
export const wakeBelow: Statement = {
  name: 'wake-below',
  text: `
with spawners as (
  update fan_out
  set moved_at = now() - interval '1 minute'
  where root_id = $1
    and not sealed
    and not closed
), timers as (
  update timer
  set held = false
  where root_id = $1
    and held
), signalled as (
  insert into recorded_batch (ids, nodes, at)
  select array_agg(x.id), array_agg(-1::smallint), now() - interval '1 minute'
  from (
    select distinct e.id
    from signal s
    join execution e on e.id = s.execution_id
    left join fan_out f on f.id = e.fan_out_id
    where coalesce(f.root_id, e.id) = $1
  ) x
  having count(*) > 0
), handouts as (
  update handout
  set next_check_at = now(),
      tries = 0
  where root_id = $1
)
update intake i
set at = i.at - interval '1 minute'
from execution e
left join fan_out f on f.id = e.fan_out_id
where e.id = i.execution_id
  and coalesce(f.root_id, e.id) = $1`,
};
