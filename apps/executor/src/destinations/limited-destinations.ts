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

  /** Those that move by how calls end, as known; what is older than it may be is asked for in the background. */
  learning(target: Target): readonly LimitedDestination[] {
    const any = this.known.some(isLearning);
    if (this.ageMs > (any ? freshForMs : restForMs)) void this.refresh();
    return any ? this.matching(target).filter(isLearning) : [];
  }

  /** The same, not older than 500 ms. */
  async learningNow(target: Target): Promise<readonly LimitedDestination[]> {
    if (this.ageMs > freshForMs) await this.refresh();
    return this.matching(target).filter(isLearning);
  }

  get anyOpen(): boolean {
    return this.known.some((d) => d.open);
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

function isLearning(d: LimitedDestination): boolean {
  return d.ramping || d.adaptive || d.open;
}
