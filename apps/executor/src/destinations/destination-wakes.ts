import type { HandoutMessage } from '@app/contracts/messages/envelopes.js';
import type { Database, RecordStore } from '@app/persistence';
import type { Clock, Logger } from '@app/runtime';

/** Claims of the same destination come at most this close, so that each takes more than one task. */
const restMs = 20;
/** What is further away is left to the sweep of the orchestrator. */
const longestMs = 60_000;
const mostHandouts = 4;

/**
 * Hand-outs that wait for a rate, or for a destination that asked for time, are taken up again at the moment when there is room,
 * by the executor that found there was none. Nothing depends on it: the stale-ready sweep does the same twice a second.
 */
export class DestinationWakes {
  private readonly timers = new Map<number, { at: number; timer: NodeJS.Timeout }>();
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly store: RecordStore,
    private readonly queues: readonly string[],
    private readonly places: () => number,
    private readonly take: (handouts: readonly HandoutMessage[]) => Promise<void>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Looks after so many milliseconds; the earliest that was asked for counts. */
  after(destination: number, waitMs: number): void {
    if (this.stopped || waitMs > longestMs) return;
    const delayMs = Math.max(restMs, waitMs);
    const at = this.clock.monotonic() + delayMs;
    const known = this.timers.get(destination);
    if (known && known.at <= at) return;
    if (known) clearTimeout(known.timer);
    this.timers.set(destination, { at, timer: setTimeout(() => void this.wake(destination), delayMs) });
  }

  stop(): void {
    this.stopped = true;
    for (const { timer } of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private async wake(destination: number): Promise<void> {
    this.timers.delete(destination);
    if (this.places() <= 0) return;
    try {
      const handouts = await this.store.takeWaiting(this.database.any, [destination], mostHandouts, this.queues, true);
      if (handouts.length > 0) await this.take(handouts);
    } catch (error) {
      this.logger.warn({ err: error, destination }, 'what waits for a destination is left to the sweep');
    }
  }
}
