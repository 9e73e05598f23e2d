import { pressuresOf, type Pressure, type PressureLimits } from '@app/domain';
import type { Bus } from '@app/messaging';
import type { Database, DeferredFanOut, PressureStore } from '@app/persistence';
import type { Clock, Logger, Random } from '@app/runtime';
import type { Sweep } from './sweep.js';

/** What was seen counts for so long unless it is seen again. */
const inForceMs = 15_000;
const measureEveryMs = 5_000;
const mostWoken = 200;
/** What any orchestrator measures is the same, so they report it as one: what was measured last counts, whoever did. */
const everybody = 'database';

/**
 * Looks at what stands against more work (budgets, lag, an alarm of the broker) and says so where spawning reads it; wakes the fan-outs that
 * waited once nothing does. Nothing depends on a wake: a deferred fan-out looks again by its own timer.
 */
export class PressureSweep implements Sweep {
  readonly name = 'pressure';
  readonly intervalMs = 500;
  private readonly self: string;
  private readonly told = new Map<string, string>();
  private measuredAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    private readonly store: PressureStore,
    private readonly bus: Pick<Bus, 'state'>,
    private readonly limits: PressureLimits,
    private readonly clock: Clock,
    random: Random,
    private readonly logger: Logger,
    private readonly wake: (deferred: readonly DeferredFanOut[]) => Promise<void>,
    private readonly spawn: (fanOuts: readonly number[]) => void,
  ) {
    this.self = random.uuid();
  }

  /** Nothing is repaired by it, so it counts nothing. */
  async runOnce(): Promise<number> {
    if (this.clock.monotonic() - this.measuredAt >= measureEveryMs) {
      // Told when it is fresh, also when it is nothing, and not again: somebody else may have measured meanwhile.
      await this.report(everybody, await this.measure());
      this.measuredAt = this.clock.monotonic();
    }
    const own = pressuresOf({ ...nothing, brokerBlocked: this.bus.state === 'blocked' }, this.limits);
    // While there is something to say it is said anew each time, as it is forgotten otherwise; of nothing, once.
    if (own.length > 0 || this.told.get(this.self) !== '') await this.report(this.self, own);
    await this.wakeAll();
    return 0;
  }

  private async measure(): Promise<Pressure[]> {
    const { storageBytes, payloadBytes } = this.limits;
    const { any } = this.database;
    const { settling, standby } = await this.store.lag(any);
    return pressuresOf(
      {
        storedBytes: storageBytes === null ? 0 : await this.store.storedBytes(any),
        payloadBytes: payloadBytes === null ? 0 : await this.store.payloadBytes(any),
        settlingLagMs: settling,
        standbyLagMs: standby,
        brokerBlocked: false,
      },
      this.limits,
    );
  }

  private async report(source: string, pressures: readonly Pressure[]): Promise<void> {
    const text = pressures.map(({ kind }) => kind).join(' ');
    const before = this.told.get(source);
    await this.store.report(this.database.any, source, pressures, inForceMs);
    this.told.set(source, text);
    if (text !== (before ?? '')) this.logger.warn({ source, pressures }, text === '' ? 'pressure is gone' : 'pressure');
  }

  private async wakeAll(): Promise<void> {
    const deferred = await this.store.deferred(this.database.any, mostWoken);
    if (deferred.length === 0 || (await this.store.inForce(this.database.any)).length > 0) return;
    await this.wake(deferred);
    this.spawn(deferred.map(({ id }) => id));
  }
}

const nothing = { storedBytes: 0, payloadBytes: 0, settlingLagMs: null, standbyLagMs: null };
