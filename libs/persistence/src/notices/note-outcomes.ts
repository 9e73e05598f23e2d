import type { NoticeOutcome, Plan } from '@app/domain';
import type { Tx } from '../database/database.js';
import { planNotices } from './plan-notices.sql.js';

/** An outcome of a top-level execution, and the whole plan of its version. */
export interface OutcomeOfExecution {
  readonly id: string;
  readonly plan: Plan;
  readonly outcome: NoticeOutcome;
}

/**
 * Keeps a notice for each hook that asks for one of these outcomes. It belongs into the transaction that makes the outcome, so
 * that there is one notice for each, whatever dies and however many branches fail. Children have none: only top-level
 * executions are to be passed. Each call is one more outcome of its executions.
 */
export async function noteOutcomes(tx: Tx, ended: readonly OutcomeOfExecution[]): Promise<void> {
  const counted = ended.filter(({ plan }) => plan.notify.length > 0);
  if (counted.length === 0) return;
  const asked = counted.flatMap(({ id, plan, outcome }) =>
    plan.notify.filter((hook) => hook.on.includes(outcome)).map((hook) => ({ id, hook: hook.index })),
  );
  await tx.query(planNotices, [
    counted.map((o) => o.id),
    counted.map((o) => o.outcome),
    asked.map((a) => a.id),
    asked.map((a) => a.hook),
  ]);
}
