import type { Statement } from '../database/database.js';

/** A fan-out spawns and releases nothing any more, and is judged by what has become of it. $1 fan-out. Returns its round. */
export const cancelFanOut: Statement = {
  name: 'cancel-fan-out',
  text: `
with cancelled as (
  update fan_out
  set cancelled_at = now(),
      closed = closed or not sealed,
      stage_hold = null,
      deferred_until = null,
      deferred_reason = null
  where id = $1
  returning id, round
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from cancelled
  on conflict do nothing
)
select round
from cancelled`,
};
