import type { Statement } from '../database/database.js';

/**
 * Tasks of one execution without their payloads.
 * $1 uuid. Nodes without a row were not laid out.
 */
export const listTasks: Statement = {
  name: 'list-tasks',
  text: `
select node, state, attempt, started_at as "startedAt", finished_at as "finishedAt", available_at as "availableAt", error
from task
where execution_id = $1
  and shard = 0
order by node`,
};
