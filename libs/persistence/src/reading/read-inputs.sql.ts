import type { Statement } from '../database/database.js';

/**
 * Inputs of executions.
 * $1 uuid[].
 */
export const readInputs: Statement = {
  name: 'read-inputs',
  text: `
select id, input
from execution
where id = any($1)`,
};
