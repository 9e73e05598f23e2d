import type { Statement } from '../../database/database.js';

/** Fan-outs whose spawner rests. $1 milliseconds at rest, $2 most fan-outs, $3 the lead a spawner may have. */
export const findRestingFanOuts: Statement = {
  name: 'find-resting-fan-outs',
  text: `
select f.id
from fan_out f
join fan_out_admission a on a.fan_out_id = f.id
where not f.sealed
  and not f.closed
  and f.spawned - a.cursor < $3
  and (not exists (select from mark m where m.root_id = f.root_id) or marked_children_of(f.parent_id, f.id) is null)
  and f.moved_at < now() - $1 * interval '1 millisecond'
  and (f.deferred_until is null or f.deferred_until <= now())
order by f.moved_at
limit $2`,
};
