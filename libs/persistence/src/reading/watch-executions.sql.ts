import type { Statement } from '../database/database.js';

/**
 * What moves of the executions that somebody watches or waits for.
 * $1 uuid[]. A missing row was deleted.
 */
export const watchExecutions: Statement = {
  name: 'watch-executions',
  text: `
select id, state, seq
from execution
where id = any($1)`,
};
