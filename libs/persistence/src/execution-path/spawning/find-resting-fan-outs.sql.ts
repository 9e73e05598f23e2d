import type { Statement } from '../../database/database.js';
import { isFreeSpawner } from './free-spawner.fragment.js';

/**
 * Fan-outs whose spawner rests and could go on; one that waits for a look-up is found when that has ended.
 * $1 milliseconds at rest, $2 most fan-outs, $3 the lead a spawner may have.
 */
export const findRestingFanOuts: Statement = {
  name: 'find-resting-fan-outs',
  text: `
select f.id
from fan_out f
join fan_out_admission a on a.fan_out_id = f.id
where not f.sealed
  and not f.closed
  and f.spawned - a.cursor < $3
  and f.moved_at < now() - $1 * interval '1 millisecond'
  and (f.deferred_until is null or f.deferred_until <= now())
  and not exists (
    select
    from frozen_batch b
    where b.fan_out_id = f.id
      and b.first_index = f.spawned
      and b.state in ('pending', 'running')
  )
  and ${isFreeSpawner('f')}
order by f.moved_at
limit $2`,
};
