import { chargeRate, fitting, rateWaitMs } from '@app/domain';
import { inTransaction, type Charge, type Database, type DestinationLimitStore } from '@app/persistence';
import type { Clock, Logger } from '@app/runtime';
import type { ClaimedTask } from '../running/claimed-task.js';
import { Gathering } from './gathering.js';
import { startByOf } from './start-by.js';

interface Request {
  readonly task: ClaimedTask;
  /** Monotonic milliseconds until it may begin; null: there is no room any more. */
  answer(startBy: number | null): void;
}

/**
 * Tasks that could not begin within the time for which their claim counted against a rate count again, now, if there is room; else they
 * give their claim back. All that are late at the same time are one transaction. What they counted before stays counted.
 */
export class RateRenewal {
  private readonly requests: Gathering<Request>;

  constructor(
    private readonly database: Database,
    private readonly store: DestinationLimitStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.requests = new Gathering(2, clock, (batch) => this.decide(batch));
  }

  /** @returns monotonic milliseconds until it may begin; null: it may not */
  renew(task: ClaimedTask): Promise<number | null> {
    return new Promise((answer) => this.requests.add({ task, answer }));
  }

  private async decide(batch: readonly Request[]): Promise<void> {
    try {
      const answers = await inTransaction(this.database.pool, async (tx) => {
        const askedAt = this.clock.monotonic();
        const ids = [...new Set(batch.flatMap(({ task }) => task.units.map(({ destination }) => destination)))];
        // Their places they hold already; but nobody calls one that was paused meanwhile.
        const locked = await this.store.lock(tx, ids);
        const paused = new Set(locked.flatMap((d) => (d.limit === 0 ? [d.id] : [])));
        const rooms = new Map(locked.map((d) => [d.id, { ...d, limit: null }]));
        const charged = new Set<number>();
        const granted = batch.map(({ task }) => {
          if (task.units.some(({ destination }) => paused.has(destination))) return null;
          const wanted = task.units.filter(({ destination }) => rooms.get(destination)?.rate);
          const limits = wanted.map(({ destination }) => rooms.get(destination)!);
          if (fitting(limits, 1, (_, position) => wanted[position]!.units).by !== null) return null;
          limits.forEach((room, i) => {
            room.rateState = chargeRate(room.rate!, room.rateState, room.now, wanted[i]!.units, 1);
            charged.add(room.id);
          });
          return startByOf(limits, askedAt) ?? Infinity;
        });
        const charges: Charge[] = [...charged].map((id) => {
          const { rate, rateState, now } = rooms.get(id)!;
          const waitMs = rateWaitMs(rate!, rateState, now, rateState.meanCost ?? 1);
          return { destination: id, state: rateState, waitMs };
        });
        await this.store.charge(tx, charges);
        return granted;
      });
      batch.forEach((request, i) => request.answer(answers[i]!));
    } catch (error) {
      this.logger.warn({ err: error, tasks: batch.length }, 'late tasks could not be counted again');
      for (const request of batch) request.answer(null);
    }
  }
}
