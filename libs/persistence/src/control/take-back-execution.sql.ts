import type { Statement } from '../database/database.js';
import { executionFrom, executionTo } from '../database/moves.js';

/** An execution that was handed out and not begun goes back to pending. $1 execution. Zero rows: it is not ready. */
export const takeBackExecution: Statement = {
  name: 'take-back-execution',
  text: `
update execution
set state = ${executionTo('take_back')}
where id = $1
  and state = ${executionFrom('take_back')}
returning id`,
};
