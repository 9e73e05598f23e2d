import type { Statement } from '../../database/database.js';

/** Quotas that a fan-out of so many children would exceed, the tightest first. $1 scopes, $2 children. */
export const childrenQuotas: Statement = {
  name: 'children-quotas',
  text: `
select scope, max_children_per_fan_out as most
from quota
where scope = any ($1::text[])
  and max_children_per_fan_out < $2
order by max_children_per_fan_out
limit 1`,
};
