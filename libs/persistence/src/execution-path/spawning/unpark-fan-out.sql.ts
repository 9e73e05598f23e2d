import type { Statement } from '../../database/database.js';

/** The spawner goes on. $1 fan-out. Zero rows: it was not parked. */
export const unparkFanOut: Statement = {
  name: 'unpark-fan-out',
  text: `
update fan_out
set deferred_until = null,
    deferred_reason = null
where id = $1
  and deferred_until is not null
returning parent_id, node, spawned`,
};
