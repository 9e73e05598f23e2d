import type { Statement } from '../../database/database.js';

/**
 * Spawners that cannot go on are parked, and say so; one that was parked already stays so. $1 fan-outs, $2 milliseconds until it is
 * looked at again, $3 the lead.
 * Guard: nothing was admitted meanwhile. Returns those that were not parked before.
 */
export const parkFanOuts: Statement = {
  name: 'park-fan-outs',
  text: `
update fan_out f
set deferred_until = now() + $2 * interval '1 millisecond',
    deferred_reason = 'SPAWN_LEAD'
from fan_out_admission a, fan_out before
where f.id = any ($1::bigint[])
  and a.fan_out_id = f.id
  and before.id = f.id
  and f.spawned - a.cursor >= $3
  and not f.sealed
  and not f.closed
returning f.id, f.parent_id, f.node, f.spawned, before.deferred_until is null as parked`,
};
