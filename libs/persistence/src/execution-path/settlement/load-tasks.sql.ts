import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * Some tasks of large executions. Parameters, one array element a task: $1 executions, $2 nodes, $3 whether the output is read.
 * Not returned: the node has no task.
 */
export const loadTasks: Statement = {
  name: 'load-tasks',
  text: `
select t.execution_id, t.node, t.state as task_state, t.attempt, t.charged, t.snoozes, t.losses, t.unbegun, t.outcome, t.snooze_ms,
       case when t.state in ('recorded', 'failed') then t.error end as error,
       case when x.reads and t.state in ('recorded', 'succeeded') then t.output end as output
from unnest($1::uuid[], $2::smallint[], $3::boolean[]) x (execution_id, node, reads)
join task t on t.execution_id = x.execution_id and t.node = x.node
where ${batchFirst('x.node')}
  and t.shard = 0`,
};
