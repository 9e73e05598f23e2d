import type { Statement } from '../../database/database.js';

/** Timers of tasks that wait no more. Parameters, one array element a task: $1 executions, $2 nodes. */
export const dropTimers: Statement = {
  name: 'drop-timers',
  text: `
delete from timer t
using unnest($1::uuid[], $2::smallint[]) x (execution_id, node)
where t.execution_id = x.execution_id
  and t.node = x.node`,
};
