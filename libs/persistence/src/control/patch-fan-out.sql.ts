import type { Statement } from '../database/database.js';

/** Changes a fan-out's limits live. $1 fan-out, $2 set the concurrency, $3 concurrency, $4 tolerance, $5 priority. */
export const patchFanOut: Statement = {
  name: 'patch-fan-out',
  text: `
with patched as (
  update fan_out
  set max_concurrency = case when $2 then $3 else max_concurrency end,
      tolerance = coalesce($4, tolerance),
      priority = coalesce($5, priority)
  where id = $1
  returning id
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from patched
  on conflict do nothing
)
update comeback c
set priority = coalesce($5, c.priority)
from patched
where c.fan_out_id = patched.id`,
};
