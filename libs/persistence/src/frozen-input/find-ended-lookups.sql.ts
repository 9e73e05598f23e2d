import type { Statement } from '../database/database.js';
import { isFreeSpawner } from '../execution-path/spawning/free-spawner.fragment.js';

/**
 * Fan-outs whose spawner waits for a look-up that has ended, and can go on; the longest there first.
 * $1 most, $2 the lead a spawner may have.
 */
export const findEndedLookups: Statement = {
  name: 'find-ended-lookups',
  text: `
select f.id
from frozen_batch b
join fan_out f on f.id = b.fan_out_id
join fan_out_admission a on a.fan_out_id = f.id
where b.state in ('answered', 'failed')
  and b.first_index = f.spawned
  and not f.sealed
  and not f.closed
  and f.spawned - a.cursor < $2
  and (f.deferred_until is null or f.deferred_until <= now())
  and ${isFreeSpawner('f')}
order by b.due_at
limit $1`,
};
