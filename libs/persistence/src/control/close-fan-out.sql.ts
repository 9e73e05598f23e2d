import type { Statement } from '../database/database.js';

/** A fan-out takes no more children, and its hand-outs are void. $1 fan-out. */
export const closeFanOut: Statement = {
  name: 'close-fan-out',
  text: `
with handouts as (
  delete from handout
  where fan_out_id = $1
)
update fan_out
set closed = closed or not sealed,
    stage_hold = null,
    deferred_until = null,
    deferred_reason = null
where id = $1`,
};
