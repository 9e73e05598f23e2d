import type { Statement } from '../database/database.js';

/** Spawners that failed go on at their cursors; the children there are attached as they are. $1 fan-outs. */
export const continueFanOuts: Statement = {
  name: 'continue-fan-outs',
  text: `
with opened as (
  update fan_out
  set round = round + 1,
      verdict = 'open',
      verdict_reason = null,
      verdict_at = null,
      closed = false,
      cancelled_at = null,
      attached = spawned,
      moved_at = now() - interval '1 minute'
  where id = any ($1::bigint[])
    and (verdict = 'failed' or (verdict = 'open' and closed))
  returning id
)
update fan_out_admission a
set done = false
from opened
where a.fan_out_id = opened.id`,
};
