import type { Statement } from '../../database/database.js';

/** Fan-outs whose spawner has used up its lead and rests. $1 the lead, $2 milliseconds at rest, $3 most fan-outs. */
export const findAtLead: Statement = {
  name: 'find-at-lead',
  text: `
select f.id, f.parent_id, f.node
from fan_out f
join fan_out_admission a on a.fan_out_id = f.id
where not f.sealed
  and not f.closed
  and f.spawned - a.cursor >= $1
  and f.moved_at < now() - $2 * interval '1 millisecond'
  and (f.deferred_until is null or f.deferred_until <= now())
order by f.moved_at
limit $3`,
};
