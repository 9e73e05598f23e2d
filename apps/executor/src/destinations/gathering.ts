import type { Clock } from '@app/runtime';

/**
 * Gathers what arrives and flushes it as one batch: the first at once, what follows not before `restMs` have passed, and
 * never two flushes at a time, unless more are allowed. `flush` deals with its own errors.
 */
export class Gathering<T> {
  private waiting: T[] = [];
  private open = 0;
  private scheduled = false;
  private lastEnd = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly restMs: number,
    private readonly clock: Clock,
    private readonly flush: (items: readonly T[]) => Promise<void>,
    private readonly bounds: { readonly mostItems: number; readonly atOnce: number } = {
      mostItems: Infinity,
      atOnce: 1,
    },
  ) {}

  add(...items: readonly T[]): void {
    if (items.length === 0) return;
    this.waiting.push(...items);
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.waiting.length === 0 || this.open >= this.bounds.atOnce) return;
    this.scheduled = true;
    const delayMs = Math.max(0, this.lastEnd + this.restMs - this.clock.monotonic());
    if (delayMs === 0) setImmediate(() => void this.run());
    else setTimeout(() => void this.run(), delayMs);
  }

  private async run(): Promise<void> {
    this.scheduled = false;
    this.open++;
    try {
      const flushed = this.flush(this.waiting.splice(0, this.bounds.mostItems));
      this.schedule();
      await flushed;
    } finally {
      this.lastEnd = this.clock.monotonic();
      this.open--;
      this.schedule();
    }
  }
}
