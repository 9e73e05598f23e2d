import type { Database, DestinationLimitStore, Slowing } from '@app/persistence';
import { sleep, type Clock, type Logger } from '@app/runtime';
import { Gathering } from './gathering.js';
import type { LimitedDestinations } from './limited-destinations.js';
import type { Target } from './target.js';

const restMs = 50;
const tries = 5;

/**
 * Slows whole destinations that asked to be called later, and speeds them up again.
 *
 * How a destination moves: an answer 429, or 503 with Retry-After, makes it wait (`throttled_until`) and sets its ramp to
 * one call at a time. Once the wait is over, each flush in which calls to it succeeded doubles the ramp; where that reaches
 * its limit the ramp is gone. Claims and admission honour both.
 *
 * Whatever arrives while a flush is on its way is one statement. Dying before a flush loses it: other calls hear the same
 * answer and say so again, and the snoozed task itself waits by its own row.
 */
export class DestinationThrottle {
  private readonly slowings: Gathering<Slowing>;
  private readonly successes: Gathering<number>;

  constructor(
    private readonly database: Database,
    private readonly store: DestinationLimitStore,
    private readonly limited: LimitedDestinations,
    clock: Clock,
    private readonly logger: Logger,
  ) {
    this.slowings = new Gathering(restMs, clock, (batch) => this.flushSlowings(batch));
    this.successes = new Gathering(restMs, clock, (batch) => this.flushSuccesses(batch));
  }

  /** The destination asked not to be called for that long. */
  slow(target: Target, waitMs: number): void {
    const name = target.implicit;
    if (name !== null) this.slowings.add({ name, hosts: target.hosts, waitMs: Math.ceil(waitMs) });
  }

  /** A call to the destination succeeded. */
  succeeded(target: Target): void {
    if (target.names.length === 0) return;
    const ramping = this.limited.ramping(target);
    if (ramping.length > 0) this.successes.add(...ramping.map((d) => d.id));
  }

  private async flushSlowings(batch: readonly Slowing[]): Promise<void> {
    const longest = new Map<string, Slowing>();
    for (const s of batch) if ((longest.get(s.name)?.waitMs ?? -1) < s.waitMs) longest.set(s.name, s);
    const slowings = [...longest.values()];
    await this.attempt('destinations could not be slowed', () => this.store.slow(this.database.any, slowings));
    await this.limited.refresh();
  }

  private async flushSuccesses(batch: readonly number[]): Promise<void> {
    const destinations = [...new Set(batch)].sort((a, b) => a - b);
    await this.attempt('destinations could not be sped up', () => this.store.speedUp(this.database.any, destinations));
  }

  private async attempt(complaint: string, write: () => Promise<void>): Promise<void> {
    for (let left = tries - 1, pause = 100; ; left--, pause *= 2)
      try {
        return await write();
      } catch (error) {
        if (left > 0) await sleep(pause);
        else return this.logger.warn({ err: error }, complaint);
      }
  }
}
