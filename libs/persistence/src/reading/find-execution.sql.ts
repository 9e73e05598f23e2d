import type { Statement } from '../database/database.js';
import { executionColumns, executionJoins } from './execution-columns.js';

/**
 * One execution with its input.
 * $1 uuid. Zero rows: there is none.
 */
export const findExecution: Statement = {
  name: 'find-execution',
  text: `
select ${executionColumns}, e.input
from execution e
${executionJoins}
where e.id = $1`,
};
