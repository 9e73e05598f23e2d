import type { Statement } from '../database/database.js';

/** Whether an execution is still marked as cancelled: running again removes the mark. $1 execution. */
export const isCancelling: Statement = {
  name: 'is-cancelling',
  text: `
select exists (select from mark where execution_id = $1 and kind = 'cancel') as cancelling`,
};
