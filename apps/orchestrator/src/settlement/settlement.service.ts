import { inTransaction, isRefusedData, type Consequences, type Database, type SettlementStore } from '@app/persistence';
import type { Logger } from '@app/runtime';
import type { DecisionService } from '../deciding/decision.service.js';
import type { Hints } from '../deciding/hints.js';

/**
 * Settlement turns recorded outcomes into settled tasks, armed retries, unlocked nodes and settled executions.
 *
 * Promises. Each recorded outcome is settled exactly once, whoever hears of it how often: its batch row is taken in the
 * transaction that settles (I4, I8). Success and failure take the same way,
 * but for plain successes, whose decision is one statement over a whole batch.
 *
 * Dying between any two lines: before the commit the batch row is still there and the unsettled sweep finds it; after it,
 * only hints are lost.
 */
export class SettlementService {
  constructor(
    private readonly database: Database,
    private readonly store: SettlementStore,
    private readonly decisions: DecisionService,
    private readonly hints: Hints,
    private readonly logger: Logger,
  ) {}

  /**
   * Settles batches of plain successes, each a child of one node, in one statement: the decision is the same for all of
   * them. What is not as expected there (paused meanwhile, say) goes the general way.
   */
  async settlePlain(batches: readonly number[]): Promise<void> {
    const settled = await inTransaction(this.database.pool, async (tx) => {
      const plain = await this.store.settlePlain(tx, batches);
      return { ...plain, consequences: await this.decisions.progress(tx, plain.rest) };
    });
    this.hints.after(settled.consequences);
    if (settled.due.length > 0) this.hints.merging(settled.due);
    this.hints.settled(settled.few);
    this.hints.admission();
  }

  /** Settles batches; ones that are gone already are no-ops. @returns executions looked at */
  async settle(batches: readonly number[]): Promise<number> {
    try {
      const settled = await inTransaction(this.database.pool, async (tx) => {
        const ids = await this.store.takeRecorded(tx, batches);
        return { looked: ids.length, consequences: await this.decisions.progress(tx, ids) };
      });
      this.hints.after(settled.consequences);
      this.hints.admission();
      return settled.looked;
    } catch (error) {
      if (!isRefusedData(error)) throw error;
      return this.settleApart(batches);
    }
  }

  /** One row's data was refused: halve until it is alone, so that the others settle. */
  private async settleApart(batches: readonly number[]): Promise<number> {
    const ids = await this.store.recordedIn(this.database.any, batches);
    await this.settleHalves(ids);
    await this.store.dropRecorded(this.database.any, batches);
    return ids.length;
  }

  private async settleHalves(ids: readonly string[]): Promise<void> {
    try {
      const done = await inTransaction<Consequences>(this.database.pool, (tx) => this.decisions.progress(tx, ids));
      this.hints.after(done);
    } catch (error) {
      if (!isRefusedData(error)) throw error;
      if (ids.length === 1) {
        this.logger.error({ err: error, executionId: ids[0] }, 'the database refuses what settles this execution');
        await this.store.refusePayload(this.database.any, ids[0]!);
        const done = await inTransaction<Consequences>(this.database.pool, (tx) => this.decisions.progress(tx, ids));
        this.hints.after(done);
        return;
      }
      const half = ids.length >> 1;
      await this.settleHalves(ids.slice(0, half));
      await this.settleHalves(ids.slice(half));
    }
  }
}
