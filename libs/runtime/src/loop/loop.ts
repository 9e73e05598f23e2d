import type { Clock } from '../clock/clock.js';
import { SystemClock } from '../clock/system-clock.js';
import type { Logger } from '../logging/logger.js';
import { silentLogger } from '../logging/silent-logger.js';
import type { Metrics } from '../metrics/metrics.js';

export interface LoopOptions {
  readonly name: string;
  /** Rest between two turns that found nothing to do. */
  readonly intervalMs: number;
  /**
   * One turn. A number above zero means it did work and there may be more, so the next turn follows at once.
   * The signal is aborted when the loop is told to stop.
   */
  readonly runOnce: (signal: AbortSignal) => Promise<number | void>;
  /** Longest rest after turns that failed in a row; it doubles from the interval. Default 10 s. */
  readonly maxBackoffMs?: number;
  /** A turn longer than this means the loop is stuck. Default 60 s or twenty intervals, whichever is more. */
  readonly stallAfterMs?: number;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly clock?: Clock;
}

/**
 * Something done again and again: on an interval, sooner when rung. It never overlaps itself, survives every error
 * (logged, counted, with a growing rest), and a ring during a turn causes another turn, so no ring is lost.
 */
export class Loop {
  readonly name: string;
  readonly runOnce: LoopOptions['runOnce'];
  /** Monotonic milliseconds of the end of the last turn, failed ones included; of the start until there was one. */
  lastTurnAt: number;
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly count: (outcome: 'ok' | 'error') => void;
  private readonly stallAfterMs: number;
  private abort = new AbortController();
  private running?: Promise<void>;
  private timer?: NodeJS.Timeout;
  private rung = false;
  private started = false;
  private failures = 0;

  constructor(private readonly options: LoopOptions) {
    this.name = options.name;
    this.runOnce = options.runOnce;
    this.clock = options.clock ?? new SystemClock();
    this.logger = options.logger ?? silentLogger;
    this.stallAfterMs = options.stallAfterMs ?? Math.max(60_000, 20 * options.intervalMs);
    this.lastTurnAt = this.clock.monotonic();
    const turns = options.metrics?.counter<'loop' | 'outcome'>({
      name: 'fanfold_loop_turns_total',
      help: 'Turns of each loop by outcome.',
      labels: ['loop', 'outcome'],
    });
    this.count = (outcome) => turns?.inc({ loop: this.name, outcome });
  }

  /** False while a turn takes suspiciously long: what liveness asks. A loop that is not started is not stalled. */
  get turning(): boolean {
    return !this.started || this.clock.monotonic() - this.lastTurnAt <= this.stallAfterMs + this.options.intervalMs;
  }

  /** Begins with a turn at once. */
  start(): this {
    if (this.started) return this;
    this.started = true;
    this.abort = new AbortController();
    this.lastTurnAt = this.clock.monotonic();
    this.ring();
    return this;
  }

  /** A turn as soon as possible; any number of rings before it begins are one turn. */
  ring(): void {
    if (!this.started) return;
    this.rung = true;
    if (!this.running) this.schedule(0);
  }

  /** Resolves when the turn in flight has ended; no other follows. */
  async stop(): Promise<void> {
    this.started = false;
    this.abort.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.running = this.turn();
    }, delayMs);
  }

  private async turn(): Promise<void> {
    this.rung = false;
    let restMs = this.options.intervalMs;
    try {
      const done = await this.runOnce(this.abort.signal);
      this.failures = 0;
      this.count('ok');
      if (typeof done === 'number' && done > 0) restMs = 0;
    } catch (err) {
      this.failures += 1;
      this.count('error');
      // A loop that cannot do its work says so on the first failure and then ever less often.
      if (Number.isInteger(Math.log2(this.failures)))
        this.logger.error({ err, loop: this.name, failures: this.failures }, 'loop turn failed');
      restMs = this.backoffMs();
    }
    this.lastTurnAt = this.clock.monotonic();
    this.running = undefined;
    if (!this.started) return;
    // While turns fail, rings wait for the backoff: else every message would be one more failure.
    this.schedule(this.rung && this.failures === 0 ? 0 : restMs);
  }

  private backoffMs(): number {
    const base = Math.max(50, Math.min(this.options.intervalMs, 1_000));
    return Math.min(this.options.maxBackoffMs ?? 10_000, base * 2 ** Math.min(this.failures - 1, 10));
  }
}
