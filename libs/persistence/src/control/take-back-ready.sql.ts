import type { Statement } from '../database/database.js';
import { taskFrom, taskTo } from '../database/moves.js';

/** Ready tasks of one execution go back to pending. $1 execution. Returns their nodes. */
export const takeBackReady: Statement = {
  name: 'take-back-ready',
  text: `
update task t
set state = ${taskTo('take_back')}
where t.execution_id = $1
  and t.state = ${taskFrom('take_back')}
returning t.node`,
};
