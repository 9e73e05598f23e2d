import type { Statement } from '../../database/database.js';

/**
 * Destinations that wait or ramp, and those that limit a host: what an executor must know beyond what a claim has seen to.
 * No parameters.
 */
export const limitedDestinations: Statement = {
  name: 'limited-destinations',
  text: `
select id, name, host, ramp is not null as ramping
from destination
where ramp is not null
   or throttled_until > now()
   or (host is not null and max_concurrency is not null)`,
};
