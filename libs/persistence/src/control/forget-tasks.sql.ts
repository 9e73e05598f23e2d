import type { Statement } from '../database/database.js';

/** Nodes that were skipped or cancelled behind a re-opened one are reached anew. $1 execution, $2 nodes. */
export const forgetTasks: Statement = {
  name: 'forget-tasks',
  text: `
delete from task
where execution_id = $1
  and node = any ($2::smallint[])
  and state in ('skipped', 'cancelled')`,
};
