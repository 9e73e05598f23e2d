import type { Statement } from '../database/database.js';

/** A spawner that failed goes on at its cursor; the children there are attached as they are. $1 fan-out. */
export const continueFanOut: Statement = {
  name: 'continue-fan-out',
  text: `
with opened as (
  update fan_out
  set round = round + 1,
      verdict = 'open',
      verdict_reason = null,
      verdict_at = null,
      closed = false,
      attached = spawned,
      moved_at = now() - interval '1 minute'
  where id = $1
    and (verdict = 'failed' or (verdict = 'open' and closed))
  returning id
)
update fan_out_admission a
set done = false
from opened
where a.fan_out_id = opened.id`,
};
