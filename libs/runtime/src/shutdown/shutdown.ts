import type { Logger } from '../logging/logger.js';
import { silentLogger } from '../logging/silent-logger.js';

/** Injection token of the process's {@link Shutdown}. */
export const SHUTDOWN = Symbol('SHUTDOWN');

export interface ShutdownOptions {
  /** All steps together end within this, or are left behind. */
  readonly graceMs: number;
  readonly logger?: Logger;
  /** Ends the process; replaced in tests. */
  readonly exit?: (code: number) => void;
}

interface Step {
  readonly name: string;
  readonly run: () => Promise<unknown> | void;
}

/**
 * The orderly end of a process. On SIGTERM or SIGINT readiness goes red at once ({@link draining}), then each step
 * runs in the order it was registered: stop taking, finish what is in flight, flush, close. The exit code is 0 whether
 * or not the grace was enough, because whatever is left behind is recovered by others. Further signals change nothing.
 */
export class Shutdown {
  private readonly steps: Step[] = [];
  private readonly abort = new AbortController();
  private drained?: Promise<void>;

  constructor(private readonly options: ShutdownOptions) {}

  /** Aborted the moment the process is told to end. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  get draining(): boolean {
    return this.abort.signal.aborted;
  }

  /** Adds a step after all that are registered. One that fails is logged and does not keep the next from running. */
  step(name: string, run: Step['run']): this {
    this.steps.push({ name, run });
    return this;
  }

  /** Answers SIGTERM and SIGINT; a process forked with a channel also ends when its parent is gone. */
  listen(): this {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.exitAfterDrain(signal));
    // Of a process that was forked; its parent may have died while it started.
    if (process.send && !process.connected) void this.exitAfterDrain('parent gone');
    else if (process.connected) process.once('disconnect', () => void this.exitAfterDrain('parent gone'));
    return this;
  }

  /** Runs the steps once; every further call waits for the same end. Resolves within the grace. */
  drain(reason: string): Promise<void> {
    this.drained ??= this.runSteps(reason);
    return this.drained;
  }

  /** Drains, then ends the process with `code`: 0 unless the process itself found that it cannot go on. */
  async exitAfterDrain(reason: string, code = 0): Promise<void> {
    if (this.drained) return;
    await this.drain(reason);
    (this.options.exit ?? ((status) => process.exit(status)))(code);
  }

  private async runSteps(reason: string): Promise<void> {
    const logger = this.options.logger ?? silentLogger;
    logger.info({ reason, graceMs: this.options.graceMs }, 'draining');
    this.abort.abort();
    let current = '';
    let expired = false;
    const inOrder = async () => {
      for (const { name, run } of this.steps) {
        if (expired) return;
        current = name;
        try {
          await run();
        } catch (err) {
          logger.error({ err, step: name }, 'shutdown step failed');
        }
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        expired = true;
        logger.warn({ step: current, graceMs: this.options.graceMs }, 'shutdown grace is over');
        resolve();
      }, this.options.graceMs);
    });
    await Promise.race([inOrder(), grace]);
    clearTimeout(timer);
    if (!expired) logger.info({}, 'drained');
  }
}
