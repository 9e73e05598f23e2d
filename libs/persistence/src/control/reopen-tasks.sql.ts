import { batchFirst } from '../database/batch-rows.js';
import type { Statement } from '../database/database.js';
import { taskFrom, taskTo } from '../database/moves.js';

/**
 * Tasks go back to pending with a fresh budget, or wait again. Parameters, one array element a task: $1 executions, $2 nodes,
 * $3 whether it waits again, $4 whether it begins only once what comes before it has settled.
 */
export const reopenTasks: Statement = {
  name: 'reopen-tasks',
  text: `
update task t
set state = case when x.waits then 'waiting'::task_state else ${taskTo('reopen')} end,
    unbegun = x.follows,
    charged = 0,
    snoozes = 0,
    losses = 0,
    error = null,
    outcome = null,
    finished_at = null
from unnest($1::uuid[], $2::smallint[], $3::boolean[], $4::boolean[]) x (execution_id, node, waits, follows)
where ${batchFirst('x.node')}
  and t.execution_id = x.execution_id
  and t.node = x.node
  and t.shard = 0
  and t.state = ${taskFrom('reopen')}`,
};
