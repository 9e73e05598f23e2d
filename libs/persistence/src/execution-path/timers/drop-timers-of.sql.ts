import type { Statement } from '../../database/database.js';

/** What executions that have ended still waited for. $1 executions. */
export const dropTimersOf: Statement = {
  name: 'drop-timers-of',
  text: `
delete from timer
where execution_id = any ($1::uuid[])
  and kind <> 'retention'`,
};
