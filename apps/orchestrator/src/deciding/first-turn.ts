import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import { isTopLevelId } from '@app/domain';
import type { Consequences, Tx } from '@app/persistence';

/** What those who begin tasks need of admission. */
export interface FirstTurn {
  /** Admits tasks just born, in the caller's transaction, where a turn would decide nothing else. */
  atOnce(
    tx: Tx,
    queue: string,
    ids: readonly string[],
    count: number,
    gates: 'held' | 'free',
  ): Promise<readonly HandoutMessage[]>;
  /** What a queue may have handed out for that. */
  readonly smallestWindow: number;
  /** Tells executors, after the commit. */
  handOut(queue: string, handouts: readonly HandoutMessage[]): Promise<void>;
}

/** More than this take the way by turns, in larger sets. */
export const fewEnough = 4;

/** More executions than this are laid out, or settled, in larger sets. */
export const mostSingle = 3;

/** Hand-outs of what was admitted at once, and the consequences that are left. */
export interface AtOnce {
  readonly queue: string | undefined;
  readonly handouts: readonly HandoutMessage[];
  readonly consequences: Consequences;
}

/** Few tasks of top-level executions, all of one queue, are admitted in the transaction that made them possible. */
export async function admittedAtOnce(
  tx: Tx,
  admission: FirstTurn,
  consequences: Consequences,
  ids: readonly string[],
  gates: 'held' | 'free',
): Promise<AtOnce> {
  const { queues, admissible } = consequences;
  const [queue] = queues;
  const few = queue !== undefined && queues.length === 1 && admissible <= fewEnough && ids.every(isTopLevelId);
  const handouts = few ? await admission.atOnce(tx, queue, ids, admissible, gates) : [];
  const all = handouts.length > 0 && handouts.length >= admissible;
  return { queue, handouts, consequences: all ? { ...consequences, queues: [] } : consequences };
}
