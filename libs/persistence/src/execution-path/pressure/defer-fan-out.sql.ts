import type { Statement } from '../../database/database.js';

/**
 * A fan-out that has not begun waits until pressure is gone. $1 fan-out, $2 milliseconds until it is looked at again whatever happens, $3
 * the reason. Its parent is locked. Zero rows: it has begun, or is closed. \`told\`: it waited for that reason already.
 */
export const deferFanOut: Statement = {
  name: 'defer-fan-out',
  text: `
update fan_out f
set deferred_until = now() + $2 * interval '1 millisecond',
    deferred_reason = $3
from fan_out before
where f.id = $1
  and before.id = f.id
  and f.spawned = 0
  and not f.sealed
  and not f.closed
returning f.parent_id, f.node, f.spawned, before.deferred_reason is not distinct from $3 as told`,
};
