import { isLaidOut, isTerminal, type TaskState } from '@app/domain';
import type { Tx } from '../../database/database.js';
import type { Decided } from '../settlement/decided.js';
import { armDeadlines } from './arm-deadlines.sql.js';
import { armTimers } from './arm-timers.sql.js';
import { dropTimers } from './drop-timers.sql.js';
import { dropTimersOf } from './drop-timers-of.sql.js';
import { traitsOf } from '../plan-traits.js';

const settled: readonly TaskState[] = ['succeeded', 'failed', 'cancelled', 'skipped'];

/** The timers of decided tasks, in the transaction that decides: those that wait get theirs, those that wait no more lose it. */
export async function keepTimers(tx: Tx, done: readonly Decided[]): Promise<void> {
  const timed = done.filter((d) => traitsOf(d.execution.at.plan).usesTimers);
  if (timed.length === 0) return;
  const over = timed.flatMap(({ decision }) =>
    decision.tasks.filter((t) => settled.includes(t.to)).map((t) => ({ id: decision.snapshot.id, node: t.node })),
  );
  if (over.length > 0) await tx.query(dropTimers, [over.map((t) => t.id), over.map((t) => t.node)]);
  const armed = timed.flatMap(({ decision }) => decision.timers.map((t) => ({ ...t, of: decision.snapshot })));
  if (armed.length > 0)
    await tx.query(armTimers, [
      armed.map((t) => t.kind),
      armed.map((t) => t.of.id),
      armed.map((t) => t.of.rootId),
      armed.map((t) => t.node),
      armed.map((t) => t.dueMs),
    ]);
  // one at the top has had its own since it was accepted
  const begun = timed.filter(
    ({ execution, decision: { snapshot } }) =>
      execution.at.plan.timeoutMs !== null && snapshot.fanOutId !== null && !isLaidOut(snapshot),
  );
  if (begun.length > 0)
    await tx.query(armDeadlines, [
      begun.map((d) => d.decision.snapshot.id),
      begun.map((d) => d.decision.snapshot.rootId),
      begun.map((d) => d.execution.at.plan.timeoutMs),
    ]);
  const ended = timed.filter((d) => isTerminal(d.decision.to)).map((d) => d.decision.snapshot.id);
  if (ended.length > 0) await tx.query(dropTimersOf, [ended]);
}
