import type { Statement } from '../database/database.js';

/** $1 execution. */
export const tasksOf: Statement = {
  name: 'tasks-of',
  text: `
select node, state
from task
where execution_id = $1`,
};
