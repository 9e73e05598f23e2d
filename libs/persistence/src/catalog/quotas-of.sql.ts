import type { Statement } from '../database/database.js';

/** Quotas of some scopes. $1 text[]: scopes. Zero rows: nothing bounds them. */
export const quotasOf: Statement = {
  name: 'quotas-of',
  text: `
select scope, max_open_executions as "maxOpenExecutions", max_children_per_fan_out as "maxChildrenPerFanOut"
from quota
where scope = any ($1::text[])
order by scope`,
};
