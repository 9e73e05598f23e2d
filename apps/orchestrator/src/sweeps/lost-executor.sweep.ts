import { RECORDED_QUEUE } from '@app/contracts/messages/queues.js';
import type { Bus } from '@app/messaging';
import type { Database, RepairStore } from '@app/persistence';
import type { Clock, Logger } from '@app/runtime';
import { executorLost } from './executor-lost.js';
import type { Sweep } from './sweep.js';

/**
 * Executors without a heartbeat for their lease: marked lost, their tasks released with the attempt charged. Only by an
 * orchestrator whose own sweeps have succeeded without a gap for one whole lease: else an outage of the database, in
 * which nobody could beat, would declare everyone dead.
 */
export class LostExecutorSweep implements Sweep {
  readonly name = 'lost-executor';
  readonly intervalMs = 2_000;
  private steadySince: number | null = null;

  constructor(
    private readonly database: Database,
    private readonly store: RepairStore,
    private readonly bus: Bus,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly longestLease: () => Promise<number>,
  ) {}

  async runOnce(): Promise<number> {
    try {
      const lease = await this.longestLease();
      this.steadySince ??= this.clock.monotonic();
      if (this.clock.monotonic() - this.steadySince >= lease)
        for (const lost of await this.store.markLost(this.database.any, 100))
          this.logger.warn({ incarnation: lost.id, executor: lost.name }, 'executor lost');
      return await this.release();
    } catch (error) {
      this.steadySince = null;
      throw error;
    }
  }

  /** Releases what lost incarnations had claimed. */
  async release(): Promise<number> {
    const { batch, ended } = await this.store.releaseLost(this.database.any, 100, executorLost);
    if (batch !== null) await this.bus.publish(RECORDED_QUEUE, [{ batch, plain: false }]).catch(() => undefined);
    await this.store.freeLostHolders(this.database.any);
    await this.store.dropFinishedBatches(this.database.any, 60_000, 500);
    return ended;
  }
}
