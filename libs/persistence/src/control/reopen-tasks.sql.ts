import type { Statement } from '../database/database.js';
import { taskFrom, taskTo } from '../database/moves.js';

/** Tasks of one execution go back to pending with a fresh budget, or wait again. $1 execution, $2 nodes, $3 state they enter. */
export const reopenTasks: Statement = {
  name: 'reopen-tasks',
  text: `
update task t
set state = case when $3 then 'waiting'::task_state else ${taskTo('reopen')} end,
    charged = 0,
    snoozes = 0,
    losses = 0,
    error = null,
    outcome = null,
    finished_at = null
where t.execution_id = $1
  and t.node = any ($2::smallint[])
  and t.state = ${taskFrom('reopen')}`,
};
