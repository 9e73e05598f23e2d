import type { Statement } from '../../database/database.js';
import { counts } from './tally-check.fragment.js';

/** Tally against children in one snapshot. $1 fan-out. Zero rows: they agree. */
export const findDrift: Statement = {
  name: 'find-drift',
  text: `
select t.succeeded, t.failed, t.cancelled, t.paused, x.succeeded as real_succeeded, x.failed as real_failed,
       x.cancelled as real_cancelled, x.paused as real_paused,
       a.opened - t.closed as open, x.open as real_open
from fan_out f
join fan_out_tally t on t.fan_out_id = f.id
join fan_out_admission a on a.fan_out_id = f.id
cross join lateral (${counts}) x
where f.id = $1
  and (t.succeeded, t.failed, t.cancelled, t.paused, a.opened - t.closed)
      is distinct from (x.succeeded, x.failed, x.cancelled, x.paused, x.open)`,
};
