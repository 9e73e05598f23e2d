import type { Statement } from '../database/database.js';

/**
 * Quotas by scope.
 * $1 text: after this scope, null from the start. $2 int: at most so many. $3 text: only this one, or null.
 */
export const listQuotas: Statement = {
  name: 'list-quotas',
  text: `
select scope, max_open_executions as "maxOpenExecutions", max_children_per_fan_out as "maxChildrenPerFanOut"
from quota
where ($1::text is null or scope > $1 collate "C")
  and ($3::text is null or scope = $3)
order by scope collate "C"
limit $2`,
};
