import type { Statement } from '../../database/database.js';

/** The spawner goes on. $1 fan-out. Zero rows: it was not parked. */
export const unparkFanOut: Statement = {
  name: 'unpark-fan-out',
  text: `
update fan_out f
set deferred_until = null,
    deferred_reason = null
from fan_out before
where f.id = $1
  and before.id = f.id
  and f.deferred_until is not null
returning f.parent_id, f.node, f.spawned, before.deferred_reason as reason`,
};
