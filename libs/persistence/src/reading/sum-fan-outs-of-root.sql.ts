import type { Statement } from '../database/database.js';

/**
 * Counts of everything below a root, added up.
 * $1 uuid: root. Always one row.
 */
export const sumFanOutsOfRoot: Statement = {
  name: 'sum-fan-outs-of-root',
  text: `
select coalesce(sum(f.spawned), 0) as spawned,
  coalesce(sum(a.cursor), 0) as "admitCursor",
  coalesce(sum(t.succeeded), 0) as succeeded,
  coalesce(sum(t.failed), 0) as failed,
  coalesce(sum(t.cancelled), 0) as cancelled,
  coalesce(sum(t.paused), 0) as paused,
  (select count(*) from comeback c where c.root_id = $1 and c.child) as "comingBack",
  (select coalesce(sum(h.size), 0) from handout h where h.root_id = $1 and h.fan_out_id is not null) as "handedOut"
from fan_out f
join fan_out_tally t on t.fan_out_id = f.id
left join fan_out_admission a on a.fan_out_id = f.id
where f.root_id = $1`,
};
