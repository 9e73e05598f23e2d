import type { Database, DestinationLimitStore, LimitedDestination } from '@app/persistence';
import type { Clock, Logger } from '@app/runtime';
import type { Target } from './target.js';

const freshForMs = 500;
const restForMs = 5_000;

/**
 * What this executor knows of destinations that wait, ramp or limit a host. It asks only when somebody wants to know, and
 * then at most every 500 ms while there is any (else every 5 s): at rest it costs nothing.
 */
export class LimitedDestinations {
  private known: readonly LimitedDestination[] = [];
  private askedAt = Number.NEGATIVE_INFINITY;
  private asking: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly store: DestinationLimitStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** As known; what is older than it may be is asked for in the background. */
  ramping(target: Target): readonly LimitedDestination[] {
    const any = this.known.some((d) => d.ramping);
    if (this.ageMs > (any ? freshForMs : restForMs)) void this.refresh();
    return any ? this.matching(target).filter((d) => d.ramping) : [];
  }

  /** Not older than 500 ms. */
  async limiting(target: Target): Promise<readonly LimitedDestination[]> {
    if (this.ageMs > freshForMs) await this.refresh();
    return this.known.length === 0 ? [] : this.matching(target);
  }

  /** Asks now; questions at the same time are one. */
  refresh(): Promise<void> {
    return (this.asking ??= this.ask().finally(() => (this.asking = null)));
  }

  private async ask(): Promise<void> {
    try {
      this.known = await this.store.limited(this.database.any);
    } catch (error) {
      this.logger.warn({ err: error }, 'limited destinations could not be read');
    }
    this.askedAt = this.clock.monotonic();
  }

  private matching({ names, hosts }: Target): LimitedDestination[] {
    return this.known.filter((d) => names.includes(d.name) || (d.host !== null && hosts.includes(d.host)));
  }

  private get ageMs(): number {
    return this.clock.monotonic() - this.askedAt;
  }
}
