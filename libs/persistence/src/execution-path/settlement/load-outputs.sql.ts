import type { Statement } from '../../database/database.js';

/** Outputs of settled tasks. $1 executions. */
export const loadOutputs: Statement = {
  name: 'load-outputs',
  text: `
select execution_id, node, output
from task
where execution_id = any ($1::uuid[])
  and state in ('recorded', 'succeeded')`,
};
