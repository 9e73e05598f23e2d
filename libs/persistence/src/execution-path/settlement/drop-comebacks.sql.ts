import type { Statement } from '../../database/database.js';

/** Tasks that failed before they came back. Parameters, one array element a task: $1 executions, $2 nodes. */
export const dropComebacks: Statement = {
  name: 'drop-comebacks',
  text: `
delete from comeback c
using unnest($1::uuid[], $2::smallint[]) x (execution_id, node)
where c.execution_id = x.execution_id
  and c.node = x.node`,
};
