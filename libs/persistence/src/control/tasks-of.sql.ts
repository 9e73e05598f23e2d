import type { Statement } from '../database/database.js';

/** $1 executions. */
export const tasksOf: Statement = {
  name: 'tasks-of',
  text: `
select execution_id, node, state
from task
where execution_id = any ($1::uuid[])`,
};
