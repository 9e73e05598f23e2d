import { EventEmitter } from 'node:events';
import { connect, type ChannelModel } from 'amqplib';
import { sleep, type Logger } from '@app/runtime';
import { Backoff } from './backoff.js';

const CONNECT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 2_000;
const HEARTBEAT_SECONDS = 10;

interface ConnectionEvents {
  up: [];
  down: [];
  flow: [];
}

/**
 * A connection that is always being had or sought. It never fails: it is up (`model` is there) or down, and it tells
 * when that changes. A broker that is away at the start is simply not there yet.
 */
export class RabbitMqConnection extends EventEmitter<ConnectionEvents> {
  /** The live connection, undefined while it is sought. */
  model: ChannelModel | undefined;
  /** It was up at least once. */
  wasUp = false;
  /** The broker takes no publishes on this connection for now: memory or disk alarm. */
  blocked = false;
  private readonly ending = new AbortController();
  private seeking: Promise<void> | undefined;

  constructor(
    private readonly url: string,
    private readonly purpose: string,
    private readonly logger: Logger,
  ) {
    super();
    this.setMaxListeners(0);
  }

  open(): this {
    this.seek();
    return this;
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.seeking;
    const model = this.model;
    this.model = undefined;
    if (model) await endWithin(model);
  }

  private seek(): void {
    if (this.seeking || this.model || this.ending.signal.aborted) return;
    this.seeking = this.connectUntilUp().finally(() => {
      this.seeking = undefined;
    });
  }

  private async connectUntilUp(): Promise<void> {
    const backoff = new Backoff();
    for (let failures = 0; !this.ending.signal.aborted; failures += 1) {
      try {
        const model = await connect(withHeartbeat(this.url), {
          noDelay: true,
          timeout: CONNECT_TIMEOUT_MS,
          clientProperties: { connection_name: `fanfold ${this.purpose}` },
        });
        if (this.ending.signal.aborted) await endWithin(model);
        else this.adopt(model);
        return;
      } catch (err) {
        if (Number.isInteger(Math.log2(failures + 1)))
          this.logger.warn({ err: plain(err), purpose: this.purpose, failures: failures + 1 }, 'broker not reached');
        await sleep(backoff.next(), this.ending.signal);
      }
    }
  }

  private adopt(model: ChannelModel): void {
    model.on('error', (err) =>
      this.logger.warn({ err: plain(err), purpose: this.purpose }, 'broker connection failed'),
    );
    model.on('handler-error', (err) => this.logger.error({ err }, 'broker event handler failed'));
    model.on('blocked', () => this.setBlocked(true));
    model.on('unblocked', () => this.setBlocked(false));
    model.once('close', () => {
      if (this.model !== model) return;
      this.model = undefined;
      this.blocked = false;
      this.emit('down');
      this.seek();
    });
    this.blocked = false;
    this.model = model;
    this.wasUp = true;
    this.logger.info({ purpose: this.purpose }, 'broker connected');
    // Whoever hears this may find the connection lost again; they look at `model` and wait for the next one.
    setImmediate(() => this.emit('up'));
  }

  private setBlocked(blocked: boolean): void {
    this.blocked = blocked;
    this.logger.warn(
      { purpose: this.purpose, blocked },
      blocked ? 'broker blocks publishing' : 'broker takes messages',
    );
    this.emit('flow');
  }
}

// A broker that is frozen must not keep a process from ending.
const endWithin = async (model: ChannelModel): Promise<void> => {
  const patience = new AbortController();
  await Promise.race([model.close().catch(() => undefined), sleep(CLOSE_TIMEOUT_MS, patience.signal)]);
  patience.abort();
};

const withHeartbeat = (url: string): string => {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  return parsed.href;
};

// Errors of amqplib may hold the whole connection, and with it the URL and its password.
const plain = (error: unknown): { message: string; code?: unknown } => ({
  message: (error as Error).message,
  code: (error as { code?: unknown }).code,
});
