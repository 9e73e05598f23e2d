import type { Statement } from '../../database/database.js';

/** Destinations in force for a claim, locked in id order before their holders are counted. $1 names and \`host:…\` names. */
export const lockDestinations: Statement = {
  name: 'lock-destinations',
  text: `
select id, name, host, least(max_concurrency, ramp) as "limit", coalesce(throttled_until > now(), false) as throttled
from destination
where name = any ($1::text[])
   or 'host:' || host = any ($1::text[])
order by id
for update`,
};
