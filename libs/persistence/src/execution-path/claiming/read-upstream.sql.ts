import type { Statement } from '../../database/database.js';

/** Outputs and states of upstream nodes that a task's templates read. $1 executions, $2 nodes. */
export const readUpstream: Statement = {
  name: 'read-upstream',
  text: `
select execution_id, node, state, output
from task
where execution_id = any ($1::uuid[])
  and node = any ($2::smallint[])`,
};
