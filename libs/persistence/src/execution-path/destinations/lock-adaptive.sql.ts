import type { Statement } from '../../database/database.js';

/** Locks destinations that find their limit by themselves, in id order. $1 destinations. */
export const lockAdaptive: Statement = {
  name: 'lock-adaptive',
  text: `
select id, max_concurrency as most, adaptive_state as state
from destination
where id = any ($1::integer[])
  and adaptive
order by id
for no key update`,
};
