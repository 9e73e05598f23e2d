import type { Statement } from '../database/database.js';
import { taskFrom, taskTo } from '../database/moves.js';

/**
 * Tasks run again though they may have succeeded. $1 execution, $2 nodes that begin again, $3 nodes that follow: they begin
 * once what comes before them has settled. Attempt numbers go on.
 */
export const rerunTasks: Statement = {
  name: 'rerun-tasks',
  text: `
update task t
set state = ${taskTo('rerun')},
    unbegun = t.node = any ($3::smallint[]),
    charged = 0,
    snoozes = 0,
    losses = 0,
    error = null,
    output = null,
    outcome = null,
    finished_at = null
where t.execution_id = $1
  and (t.node = any ($2::smallint[]) or t.node = any ($3::smallint[]))
  and (t.state = ${taskFrom('rerun')} or (t.unbegun and t.state = 'pending'))`,
};
