import type { Statement } from '../database/database.js';

/**
 * Destinations that have no room right now.
 * $1 text[]: names, $2 text[]: hosts. Zero rows: there is room at each of them.
 */
export const waitingDestinations: Statement = {
  name: 'waiting-destinations',
  text: `
select d.name, d.max_concurrency as "maxConcurrency", d.held as "inUse",
  case when d.throttled_until > now() then d.throttled_until end as "throttledUntil"
from (
  select *, (select count(*) from destination_holder h where h.destination_id = destination.id) as held
  from destination
  where name = any($1)
    or host = any($2)
) d
where d.held >= least(d.max_concurrency, d.ramp)
  or d.throttled_until > now()`,
};
