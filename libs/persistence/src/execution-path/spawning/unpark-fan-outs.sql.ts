import type { Statement } from '../../database/database.js';

/** Spawners go on, those of them that were parked. $1 fan-outs, whose parents are locked. */
export const unparkFanOuts: Statement = {
  name: 'unpark-fan-outs',
  text: `
with before as (
  select id, deferred_reason
  from fan_out
  where id = any ($1::bigint[])
    and deferred_until is not null
  order by id
  for update
)
update fan_out f
set deferred_until = null,
    deferred_reason = null
from before
where f.id = before.id
returning f.parent_id, f.node, f.spawned, before.deferred_reason as reason`,
};
