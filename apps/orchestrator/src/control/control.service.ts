import { ABORT_TOPIC } from '@app/contracts/messages/queues.js';
import type { Bus } from '@app/messaging';
import { inTransaction, type CommandStore, type Database } from '@app/persistence';
import type { Logger } from '@app/runtime';
import type { Hints } from '../deciding/hints.js';

/** A signal of the Postgres bus has at most 8,000 bytes. */
const idsPerSignal = 100;

/**
 * Control works off bulk commands (redrive, cancel, fail-fast cancel, delete) in bounded batches from their cursor. The mark
 * that makes a cancel binding is committed long before. A batch takes the root's gate alone for its short time, so that nothing of
 * that root is spawned, admitted or claimed while its rows move.
 *
 * Locks in order: gate, control row of the fan-out, children in id order, tally. Two orchestrators never work on
 * one command: its row is locked for a turn. Dying between any two lines repeats at most nothing: a turn is one transaction.
 */
export class ControlService {
  constructor(
    private readonly database: Database,
    private readonly store: CommandStore,
    private readonly bus: Bus,
    private readonly hints: Hints,
    private readonly logger: Logger,
  ) {}

  /** One turn of every unfinished command; one that fails does not hold up the others. @returns rows moved */
  async runOnce(): Promise<number> {
    let moved = 0;
    for (const { id, rootId } of await this.store.list(this.database.any, 100))
      try {
        moved += await this.turn(id, rootId);
      } catch (error) {
        this.logger.warn({ err: error, command: id }, 'a command could not go on yet');
      }
    return moved;
  }

  private async turn(id: number, rootId: string): Promise<number> {
    const turn = await inTransaction(
      this.database.pool,
      async (tx) => {
        const command = await this.store.lock(tx, id);
        return command ? this.store.turn(tx, command) : null;
      },
      { gate: { roots: [rootId], mode: 'alone' } },
    );
    if (!turn) return 0;
    const { fanOuts = [] } = turn;
    if (fanOuts.length > 0) await this.bus.signal(ABORT_TOPIC, { fanOuts }).catch(() => undefined);
    if (turn.paused) await this.bus.signal(ABORT_TOPIC, { pausedRoots: [turn.paused] }).catch(() => undefined);
    const ended = turn.ended ?? [];
    for (let i = 0; i < ended.length; i += idsPerSignal)
      await this.bus.signal(ABORT_TOPIC, { ids: ended.slice(i, i + idsPerSignal) }).catch(() => undefined);
    if (ended.length > 0) this.hints.settled(ended);
    this.hints.admission();
    this.hints.merging([]);
    return turn.moved + (turn.done ? 0 : 1);
  }
}
