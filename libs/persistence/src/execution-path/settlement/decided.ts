import type { ExecutionDecision } from '@app/domain';
import type { LoadedExecution } from './snapshot-store.js';

export interface Decided {
  readonly execution: LoadedExecution;
  readonly decision: ExecutionDecision;
}
