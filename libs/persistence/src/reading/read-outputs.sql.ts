import type { Statement } from '../database/database.js';

/**
 * Outputs of given nodes of given executions.
 * $1 uuid[]: executions, $2 smallint[]: nodes. Guard: the task succeeded. A missing row has no output.
 */
export const readOutputs: Statement = {
  name: 'read-outputs',
  text: `
select execution_id as "executionId", node, output
from task
where execution_id = any($1)
  and node = any($2)
  and shard = 0
  and state = 'succeeded'`,
};
