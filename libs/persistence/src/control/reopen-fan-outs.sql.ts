import type { Statement } from '../database/database.js';

/**
 * Re-opens fan-outs' merges: the next round. $1 fan-outs, $2 whether the spawners of those that were cancelled go on; else they stay
 * closed, and what was not spawned counts as cancelled again.
 */
export const reopenFanOuts: Statement = {
  name: 'reopen-fan-outs',
  text: `
with opened as (
  update fan_out
  set round = round + 1,
      verdict = 'open',
      verdict_reason = null,
      verdict_at = null,
      closed = closed and cancelled_at is not null and not $2,
      cancelled_at = case when closed and not $2 then cancelled_at end,
      moved_at = now()
  where id = any ($1::bigint[])
    and verdict = 'failed'
  returning id, parent_id, node, root_id, round
), admission as (
  update fan_out_admission a
  set done = false
  from opened
  where a.fan_out_id = opened.id
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from opened
  on conflict do nothing
)
select id, parent_id, node, root_id, round
from opened`,
};
