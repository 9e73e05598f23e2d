import type { ChildProcess } from 'node:child_process';
import { CONFIG_EXIT_CODE, type Logger } from '@app/runtime';
import { forkExecutor, type ForkedExecutor } from './forked-executor.js';

/**
 * The executor as a child process of its own, so that a busy handler stops nothing. One that dies is started again, and
 * the engine is told which one it was, so that its tasks need not wait for a lease.
 */
export class ExecutorProcess {
  private child: ChildProcess | null = null;
  private stopping = false;
  private begun = false;
  private count = 0;
  private pause = 250;

  constructor(
    private readonly environment: Record<string, string>,
    private readonly logger: Logger,
    private readonly onDeath: (name: string) => void,
    /** It refused its configuration: another one would, too. */
    private readonly onRefusal: () => void,
    /** The first one, where it was started before its configuration was known. */
    private readonly first: ForkedExecutor | null = null,
  ) {}

  /** Starts it, so that it is ready the sooner; it takes nothing before {@link begin}. */
  start(): void {
    const startedAt = performance.now();
    const isFirst = ++this.count === 1;
    const { name, child } = (isFirst && this.first?.child.connected ? this.first : null) ?? forkExecutor(this.count);
    this.child = child;
    child.send({ kind: 'environment', values: this.environment });
    if (this.begun) this.begin();
    child.once('exit', (code, signal) => {
      if (this.child === child) this.child = null;
      if (this.stopping) return;
      if (code === CONFIG_EXIT_CODE) return this.onRefusal();
      this.logger.warn({ code, signal, executor: name }, 'the executor ended; starting another');
      this.onDeath(name);
      this.pause = performance.now() - startedAt > 10_000 ? 250 : Math.min(5_000, this.pause * 2);
      setTimeout(() => !this.stopping && this.start(), this.pause);
    });
  }

  /** It may take work, and so may every one that follows it. */
  begin(): void {
    this.begun = true;
    if (this.child?.connected) this.child.send({ kind: 'begin' });
  }

  /** Lets it drain. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  }
}
