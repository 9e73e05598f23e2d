import type { Statement } from '../database/database.js';

/** Executions locked in id order. $1 executions. */
export const lockThose: Statement = {
  name: 'lock-those',
  text: `
select id
from execution
where id = any ($1::uuid[])
order by id
for update`,
};
