import type { Statement } from '../../database/database.js';

/** What ends with top-level executions: their business key, their timers. $1 executions. */
export const closeExecutions: Statement = {
  name: 'close-executions',
  text: `
with keys as (
  delete from open_key
  where execution_id = any ($1::uuid[])
)
delete from timer
where execution_id = any ($1::uuid[])
  and kind <> 'retention'`,
};
