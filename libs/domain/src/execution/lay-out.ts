/**
 * Laying out: the first decision about an execution. The nodes without incoming edges get their tasks; what the
 * orchestrator runs itself starts at once, what an executor performs goes to admission.
 */
import type { Plan } from '../pipeline/plan.js';
import { decideProgress, type Chance } from './progress.js';
import type { ExecutionDecision } from './execution-decision.js';
import { isLaidOut, type ExecutionSnapshot } from './snapshot.js';

/** Null when there is nothing to lay out: the execution has its tasks, or is not waiting to be started. */
export function layOut(plan: Plan, snapshot: ExecutionSnapshot, chance: Chance): ExecutionDecision | null {
  if (isLaidOut(snapshot) || (snapshot.state !== 'pending' && snapshot.state !== 'ready')) return null;
  return decideProgress(plan, snapshot, chance, plan.roots);
}
