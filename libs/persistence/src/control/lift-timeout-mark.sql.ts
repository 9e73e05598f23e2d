import type { Statement } from '../database/database.js';

/** All below an execution that ran out of time has ended: its mark has done its work. $1 execution. */
export const liftTimeoutMark: Statement = {
  name: 'lift-timeout-mark',
  text: `
delete from mark
where execution_id = $1
  and fan_out_id = 0
  and kind = 'cancel'
  and reason = 'TIMEOUT'`,
};
