import type { Statement } from '../database/database.js';
import { endExecution } from './ended-execution.fragment.js';

/**
 * Cancels one execution: it, its tasks, what would come back. $1 execution, $2 cause (JSON text of the failure).
 * Zero rows: it has settled.
 */
export const cancelExecution: Statement = {
  name: 'cancel-execution',
  text: endExecution('cancel', 'cancelled'),
};
