import type { Statement } from '../database/database.js';
import { bornExecution } from './born-execution.fragment.js';

/** A top-level execution; the parameters are those of the fragment. Always one row. */
export const insertExecution: Statement = {
  name: 'insert-execution',
  text: `
with ${bornExecution('')}
select created_at as "createdAt"
from execution_row`,
};
