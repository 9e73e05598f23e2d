import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import { isTerminal } from '@app/domain';
import type { Tx } from '../../database/database.js';
import { handoutMessage } from '../admission/admission-store.js';
import { ownLimits } from '../plan-source.js';
import { traitsOf } from '../plan-traits.js';
import type { Decided } from './decided.js';
import { changesOf, comebackColumns, comebacksOf, movedExecutions, queuesOf } from './decision-columns.js';
import { noConsequences, type Consequences } from './decision-store.js';
import { settleAtOnce } from './settle-at-once.sql.js';

export interface SettledAtOnce {
  readonly consequences: Consequences;
  /** Of tasks that were admitted in it. */
  readonly queue: string | undefined;
  readonly handouts: readonly HandoutMessage[];
}

/** Commits the decision about one top-level execution in one statement, which is its transaction. */
export class AtOnceStore {
  /**
   * @param from recorded batches that it settles, or `intake`: it is taken off intake to be laid out
   * @param few so many new tasks are admitted with it, if they are of one queue
   * @param window the smallest window of a queue
   * @returns null: the decision asks for more than that statement does, or something moved meanwhile; nothing has changed
   */
  async settle(
    db: Tx,
    from: readonly number[] | 'intake',
    decided: Decided,
    few: number,
    window: number,
  ): Promise<SettledAtOnce | null> {
    const { execution, decision } = decided;
    const { id, state } = decision.snapshot;
    if (!isPlain(decided)) return null;
    const comebacks = comebacksOf([decided]);
    if (comebacks.some((r) => ownLimits(r.execution.at, r.node).length > 0)) return null;
    const queues = queuesOf(comebacks);
    const admissible = comebacks.filter((r) => r.c.delayMs === 0).length;
    const queue = queues.length === 1 && admissible <= few ? queues[0] : undefined;
    const isSettled = isTerminal(decision.to);
    const ends = isSettled && !isTerminal(state);
    const { retention, notify } = execution.at.whole;
    if (ends && notify.length > 0) return null;
    const keptMs = decision.to === 'succeeded' ? retention.succeededMs : retention.failedMs;
    const isKept = ends && keptMs !== null;
    const { rows } = await db.query<{ handouts: Record<string, unknown>[] | null }>(settleAtOnce, [
      from === 'intake' ? [] : from,
      ...movedExecutions([decided]),
      ...changesOf([decided]),
      ...comebackColumns(comebacks),
      queue ?? null,
      [id],
      window,
      admissible,
      ends ? [id] : [],
      isKept ? [id] : [],
      isKept ? [keptMs] : [],
      from === 'intake',
    ]);
    const handed = rows[0]!.handouts;
    if (handed === null) return null;
    const all = handed.length > 0 && handed.length >= admissible;
    return {
      queue,
      handouts: handed.map((r) => handoutMessage(r, false)),
      consequences: {
        ...noConsequences,
        settled: isSettled ? [id] : [],
        queues: all ? [] : queues,
        admissible,
      },
    };
  }
}

function isPlain({ execution, decision }: Decided): boolean {
  const { snapshot, spawns, abandons, signals, timers, continues, tasks } = decision;
  return (
    snapshot.fanOutId === null &&
    [spawns, abandons, signals, timers, continues].every((asked) => asked.length === 0) &&
    !tasks.some((t) => t.from === 'pending' && t.to === 'failed') &&
    !traitsOf(execution.at.plan).usesTimers
  );
}
