import type { Statement } from '../../database/database.js';

/**
 * Locks destinations in id order, before their holders are counted in a statement of its own.
 * $1 destinations. "limit" null: any number; "throttledForMs" above zero: it waits.
 */
export const lockForCall: Statement = {
  name: 'lock-destinations-for-call',
  text: `
select id,
       least(max_concurrency, ramp) as "limit",
       greatest(0, ceil(extract(epoch from throttled_until - now()) * 1000))::integer as "throttledForMs"
from destination
where id = any ($1::integer[])
order by id
for update`,
};
