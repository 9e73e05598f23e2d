import type { Statement } from '../../database/database.js';

/** The spawner cannot go on. $1 fan-out, $2 reason (JSON text). */
export const failFanOut: Statement = {
  name: 'fail-fan-out',
  text: `
with failed as (
  update fan_out
  set closed = true,
      verdict = 'failed',
      verdict_reason = $2,
      verdict_at = now(),
      moved_at = now()
  where id = $1
    and not sealed
    and not closed
  returning id
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from failed
  on conflict do nothing
)
select id
from failed`,
};
