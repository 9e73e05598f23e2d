import type { Statement } from '../database/database.js';

/** Fan-outs whose spawner waits for a look-up that has ended. $1 most. */
export const findEndedLookups: Statement = {
  name: 'find-ended-lookups',
  text: `
select f.id
from frozen_batch b
join fan_out f on f.id = b.fan_out_id
where b.state in ('answered', 'failed')
  and b.first_index = f.spawned
  and not f.sealed
  and not f.closed
limit $1`,
};
