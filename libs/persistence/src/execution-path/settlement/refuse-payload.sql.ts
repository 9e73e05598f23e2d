import type { Statement } from '../../database/database.js';

/** What an attempt brought is refused for good: its data goes, a permanent failure stays. $1 execution, $2 failure. */
export const refusePayload: Statement = {
  name: 'refuse-payload',
  text: `
update task
set outcome = 'failed',
    output = null,
    error = $2
where execution_id = $1
  and state = 'recorded'`,
};
