import type { Statement } from '../../database/database.js';

/**
 * Adds settled children to their tallies, one sum a fan-out, in fan-out order, and marks the fan-outs due.
 * Parameters: $1 fan-outs (ascending), $2 succeeded, $3 failed, $4 cancelled, $5 paused, $6 children that had been opened.
 * Returns the new tallies with what a verdict needs to be likely.
 */
export const moveTallies: Statement = {
  name: 'move-tallies',
  text: `
with locked as (
  select fan_out_id
  from fan_out_tally
  where fan_out_id = any ($1::bigint[])
  order by fan_out_id
  for update
), moved as (
  update fan_out_tally t
  set succeeded = t.succeeded + x.succeeded,
      failed = t.failed + x.failed,
      cancelled = t.cancelled + x.cancelled,
      paused = t.paused + x.paused,
      closed = t.closed + x.closed
  from unnest($1::bigint[], $2::integer[], $3::integer[], $4::integer[], $5::integer[], $6::integer[])
    x (fan_out_id, succeeded, failed, cancelled, paused, closed), locked
  where t.fan_out_id = x.fan_out_id
    and locked.fan_out_id = t.fan_out_id
  returning t.fan_out_id, t.succeeded, t.failed, t.cancelled
), due as (
  insert into fan_out_due (fan_out_id)
  select fan_out_id
  from moved
  on conflict do nothing
)
select m.fan_out_id, m.succeeded, m.failed, m.cancelled, f.spawned, f.total, f.sealed, f.queue
from moved m
join fan_out f on f.id = m.fan_out_id`,
};
