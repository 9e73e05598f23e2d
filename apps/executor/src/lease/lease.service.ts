import { Worker } from 'node:worker_threads';
import { connectionConfig, type Database, type LeaseStore, type Registration } from '@app/persistence';
import type { Clock, ExecutorConfig, Logger } from '@app/runtime';

export interface LeaseEvents {
  /** There is an incarnation, the first or a new one: hand-outs can be taken. */
  registered(): void;
  /** The database confirmed the lease. */
  beat(): void;
  /** The incarnation is lost, or could not be renewed within the trust window: nothing it performs counts any more. */
  lost(): void;
}

/**
 * The lease of one incarnation. It is renewed by a thread of its own and trusted for two thirds of its time only: after that
 * the holder aborts its calls, before anybody takes them over. A lost incarnation is never used again; the process
 * registers a new one.
 */
export class LeaseService {
  private worker: Worker | null = null;
  private current: number | null = null;
  private lastBeat = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly shared = new SharedArrayBuffer(4);
  private readonly freeSlots = new Int32Array(this.shared);
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly store: LeaseStore,
    private readonly config: Pick<ExecutorConfig, 'slots' | 'queues' | 'leaseMs' | 'heartbeatMs'>,
    private readonly name: string,
    private readonly performs: Pick<Registration, 'handlers' | 'nodeTypes'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly events: LeaseEvents,
  ) {}

  /** Null while there is no live incarnation. */
  get incarnation(): number | null {
    return this.current;
  }

  setFreeSlots(free: number): void {
    Atomics.store(this.freeSlots, 0, Math.max(0, free));
  }

  /** Registers an incarnation and starts to beat. */
  async start(): Promise<void> {
    const id = await this.store.register(this.database.any, {
      ...this.config,
      name: this.name,
      ...this.performs,
    });
    this.current = id;
    this.lastBeat = this.clock.monotonic();
    this.logger.info({ incarnation: id, slots: this.config.slots, queues: this.config.queues }, 'registered');
    this.worker = new Worker(new URL('./heartbeat.thread.js', import.meta.url), {
      workerData: {
        config: connectionConfig(this.database.settings),
        incarnation: id,
        heartbeatMs: this.config.heartbeatMs,
        statement: this.store.beatStatement,
        shared: this.shared,
      },
    });
    this.worker.on('message', (message: { kind: 'beat' | 'missed'; state?: string }) => this.heard(id, message));
    this.worker.on('error', (error) => this.logger.error({ err: error }, 'the heartbeat thread failed'));
    this.timer ??= setInterval(() => this.checkTrust(), Math.max(50, this.config.heartbeatMs / 4));
    this.events.registered();
  }

  private heard(id: number, message: { kind: 'beat' | 'missed'; state?: string }): void {
    if (id !== this.current) return;
    if (message.kind === 'missed') return;
    if (message.state === 'lost' || message.state === 'ended') return void this.lose('told so by the database');
    this.lastBeat = this.clock.monotonic();
    this.events.beat();
  }

  private checkTrust(): void {
    if (this.current === null || this.stopped) return;
    if (this.clock.monotonic() - this.lastBeat > (this.config.leaseMs * 2) / 3)
      void this.lose('not renewed within the trust window');
  }

  private async lose(why: string): Promise<void> {
    const lost = this.current;
    this.current = null;
    this.logger.warn({ incarnation: lost, why }, 'lease lost');
    this.worker?.postMessage('stop');
    this.events.lost();
    for (let pause = 200; !this.stopped; pause = Math.min(2_000, pause * 2)) {
      try {
        return await this.start();
      } catch (error) {
        this.logger.warn({ err: error }, 'no new incarnation yet');
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /** No new claims from now on; the beats go on until the calls have ended. */
  async drain(): Promise<void> {
    if (this.current !== null)
      await this.store.setState(this.database.any, this.current, 'draining').catch(() => undefined);
  }

  async end(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    this.worker?.postMessage('stop');
    if (this.current !== null)
      await this.store.setState(this.database.any, this.current, 'ended').catch(() => undefined);
    this.current = null;
  }
}
