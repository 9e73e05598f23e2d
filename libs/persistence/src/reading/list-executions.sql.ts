import type { Statement } from '../database/database.js';
import { executionColumns, executionJoins } from './execution-columns.js';

/**
 * Executions by id, as rows of a list.
 * $1 uuid[]. Missing ids are left out.
 */
export const listExecutions: Statement = {
  name: 'list-executions',
  text: `
select ${executionColumns}
from execution e
${executionJoins}
where e.id = any($1)`,
};
