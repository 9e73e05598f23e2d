import type { Statement } from '../../database/database.js';

/** Fan-outs whose spawner rests. $1 milliseconds at rest, $2 most fan-outs. */
export const findRestingFanOuts: Statement = {
  name: 'find-resting-fan-outs',
  text: `
select id
from fan_out
where not sealed
  and not closed
  and moved_at < now() - $1 * interval '1 millisecond'
  and (deferred_until is null or deferred_until <= now())
order by moved_at
limit $2`,
};
