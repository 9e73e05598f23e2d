import type { Clock } from '@app/runtime';

/**
 * Gathers what arrives and flushes it as one batch: the first at once, what follows not before `restMs` have passed, and
 * never two flushes at a time. `flush` deals with its own errors.
 */
export class Gathering<T> {
  private waiting: T[] = [];
  private busy = false;
  private lastEnd = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly restMs: number,
    private readonly clock: Clock,
    private readonly flush: (items: readonly T[]) => Promise<void>,
  ) {}

  add(...items: readonly T[]): void {
    if (items.length === 0) return;
    this.waiting.push(...items);
    if (!this.busy) this.schedule();
  }

  private schedule(): void {
    this.busy = true;
    const delayMs = Math.max(0, this.lastEnd + this.restMs - this.clock.monotonic());
    setTimeout(() => void this.run(), delayMs);
  }

  private async run(): Promise<void> {
    try {
      await this.flush(this.waiting.splice(0));
    } finally {
      this.lastEnd = this.clock.monotonic();
      this.busy = false;
      if (this.waiting.length > 0) this.schedule();
    }
  }
}
