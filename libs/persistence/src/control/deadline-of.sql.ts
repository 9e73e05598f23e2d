import type { Statement } from '../database/database.js';

/** Whether the deadline of an execution has passed, by the database's clock. $1 execution. */
export const deadlineOf: Statement = {
  name: 'deadline-of',
  text: `
select deadline_at <= now() as passed
from execution
where id = $1`,
};
