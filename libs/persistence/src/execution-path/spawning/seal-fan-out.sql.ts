import type { Statement } from '../../database/database.js';

/**
 * The item source has ended: the total is known, the merge may be decided. $1 fan-out, $2 total.
 * Guard: everything was spawned. Zero rows: it is not so, or it is sealed already.
 */
export const sealFanOut: Statement = {
  name: 'seal-fan-out',
  text: `
with sealed as (
  update fan_out
  set sealed = true,
      total = spawned,
      moved_at = now(),
      deferred_until = null,
      deferred_reason = null
  where id = $1
    and spawned = $2
    and not sealed
    and not closed
  returning id
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from sealed
  on conflict do nothing
)
select id
from sealed`,
};
