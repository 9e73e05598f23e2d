import { ABORT_TOPIC } from '@app/contracts/messages/queues.js';
import type { Bus } from '@app/messaging';
import { inTransaction, type CommandStore, type Database } from '@app/persistence';
import type { Hints } from '../deciding/hints.js';

/**
 * Control works off bulk commands (redrive, cancel, fail-fast cancel, delete) in bounded batches from their cursor. The mark
 * that made them binding is committed long before: nothing here is urgent for correctness, only for the counts.
 *
 * Locks in order: control rows of fan-outs are not taken; children in id order, then the tally. Two orchestrators never work on
 * one command: its row is locked for a turn. Dying between any two lines repeats at most nothing: a turn is one transaction.
 */
export class ControlService {
  constructor(
    private readonly database: Database,
    private readonly store: CommandStore,
    private readonly bus: Bus,
    private readonly hints: Hints,
  ) {}

  /** One turn of every unfinished command. @returns rows moved */
  async runOnce(): Promise<number> {
    let moved = 0;
    for (const { id, rootId } of await this.store.list(this.database.any, 100)) {
      const turn = await inTransaction(
        this.database.pool,
        async (tx) => {
          const command = await this.store.lock(tx, id);
          return command ? this.store.turn(tx, command) : null;
        },
        { gate: { roots: [rootId], mode: 'shared' } },
      );
      if (!turn) continue;
      if (turn.fanOut !== null) await this.bus.signal(ABORT_TOPIC, { fanOuts: [turn.fanOut] }).catch(() => undefined);
      this.hints.admission();
      this.hints.merging([]);
      moved += turn.moved + (turn.done ? 0 : 1);
    }
    return moved;
  }
}
