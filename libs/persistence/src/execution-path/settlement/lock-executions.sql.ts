import type { Statement } from '../../database/database.js';

/** The same, the execution rows locked in id order first by lock-executions. */
export const lockExecutions: Statement = {
  name: 'lock-executions',
  text: `
select id
from execution
where id = any ($1::uuid[])
order by id
for update`,
};
