import type { Statement } from '../../database/database.js';
import { counts } from './tally-check.fragment.js';

/**
 * Sets a tally to what its children say; the tally is locked by lock-tallies before. What is admitted meanwhile moves
 * children and `opened` together, so their difference stays right. $1 fan-out.
 */
export const healTally: Statement = {
  name: 'heal-tally',
  text: `
with healed as (
  update fan_out_tally t
  set succeeded = x.succeeded,
      failed = x.failed,
      cancelled = x.cancelled,
      paused = x.paused,
      closed = a.opened - x.open
  from fan_out f
  join fan_out_admission a on a.fan_out_id = f.id
  cross join lateral (${counts}) x
  where f.id = $1
    and t.fan_out_id = f.id
  returning t.fan_out_id
)
insert into fan_out_due (fan_out_id)
select fan_out_id
from healed
on conflict do nothing`,
};
