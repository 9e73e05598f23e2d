import type { Statement } from '../database/database.js';

/** Whether an execution, or a fan-out of it, is still marked as cancelled: running again removes the mark. $1 execution, $2 fan-out (0: itself). */
export const isCancelling: Statement = {
  name: 'is-cancelling',
  text: `
select exists (select from mark where execution_id = $1 and fan_out_id = $2 and kind = 'cancel') as cancelling`,
};
