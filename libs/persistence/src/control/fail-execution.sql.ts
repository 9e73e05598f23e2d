import type { Statement } from '../database/database.js';
import { endExecution } from './ended-execution.fragment.js';

/**
 * Fails one execution from outside; its open tasks are cancelled. $1 execution, $2 failure (JSON text), $3 its fingerprint.
 * Zero rows: it has settled.
 */
export const failExecution: Statement = {
  name: 'fail-execution',
  text: endExecution('fail', 'failed', '\n      fingerprint = $3,'),
};
