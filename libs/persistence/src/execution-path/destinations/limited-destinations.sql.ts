import type { Statement } from '../../database/database.js';

/**
 * What an executor must know of destinations beyond what a claim has seen to: those that limit a host, those that wait or
 * ramp, and those that learn from how calls end. No parameters.
 */
export const limitedDestinations: Statement = {
  name: 'limited-destinations',
  text: `
select id, name, host,
       ramp is not null as ramping,
       adaptive,
       breaker_opens > 0 as open
from destination
where ramp is not null
   or adaptive
   or breaker_opens > 0
   or paused_at is not null
   or throttled_until > now()
   or (host is not null and (max_concurrency is not null or rate is not null))`,
};
