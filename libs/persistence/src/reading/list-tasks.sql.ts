import type { Statement } from '../database/database.js';

/**
 * Tasks of one execution, without their payloads but for the outputs of given nodes that have succeeded.
 * $1 uuid, $2 smallint[]: nodes whose output is wanted. Nodes without a row were not laid out.
 */
export const listTasks: Statement = {
  name: 'list-tasks',
  text: `
select node, state, attempt, started_at as "startedAt", finished_at as "finishedAt", available_at as "availableAt", error,
       case when state = 'succeeded' and node = any ($2::smallint[]) then output end as output
from task
where execution_id = $1
  and shard = 0
order by node`,
};
