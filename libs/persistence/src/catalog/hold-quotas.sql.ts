import type { Statement } from '../database/database.js';

/**
 * Quotas of open executions that a start is under, held to the end of the transaction so that they are decided one
 * after the other.
 * $1 text[]: scopes. Zero rows: there is no such quota.
 */
export const holdQuotas: Statement = {
  name: 'hold-quotas',
  text: `
select scope, max_open_executions as "maxOpenExecutions"
from quota
where scope = any($1)
  and max_open_executions is not null
order by scope
for update`,
};
