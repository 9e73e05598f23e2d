import type { Statement } from '../database/database.js';

/**
 * Says what a destination allows, from now on and for every executor.
 * $1 name, $2 host or null, $3 int: most at once or null, $4 rate as JSON text or null, $5 boolean: adaptive.
 * One row; `created` tells whether it is new.
 */
export const putDestination: Statement = {
  name: 'put-destination',
  text: `
insert into destination as d (name, host, max_concurrency, rate, adaptive)
values ($1, $2, $3, $4, $5)
on conflict (name) do update
set host = excluded.host,
  max_concurrency = excluded.max_concurrency,
  rate = excluded.rate,
  rate_room_at = null,
  adaptive = excluded.adaptive,
  adaptive_limit = case when d.adaptive and excluded.adaptive then least(d.adaptive_limit, excluded.max_concurrency) end,
  adaptive_state = case when d.adaptive and excluded.adaptive then d.adaptive_state end,
  implicit = false,
  updated_at = now()
returning xmax = 0 as created`,
};
