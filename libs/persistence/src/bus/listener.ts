import pg from 'pg';
import type { Logger } from '@app/runtime';

const keepAliveMs = 3_000;

/**
 * One connection that listens. It reconnects by itself, listens again to everything, and asks the server something
 * every few seconds, so that a connection that went deaf without an error is noticed.
 */
export class Listener {
  private client: pg.Client | null = null;
  private connecting: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private pause = 100;
  private readonly callbacks = new Map<string, Set<(payload: string) => void>>();

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly logger: Logger,
  ) {}

  get state(): 'up' | 'down' {
    return this.client ? 'up' : 'down';
  }

  async listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>> {
    let set = this.callbacks.get(channel);
    if (!set) this.callbacks.set(channel, (set = new Set()));
    set.add(callback);
    if (this.client) await this.client.query(`listen "${channel}"`).catch(() => this.drop());
    else await Promise.race([this.connect(), new Promise((resolve) => setTimeout(resolve, 2_000))]);
    return async () => {
      set.delete(callback);
      if (set.size > 0) return;
      this.callbacks.delete(channel);
      await this.client?.query(`unlisten "${channel}"`).catch(() => this.drop());
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    const client = this.client;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private connect(): Promise<void> {
    this.connecting ??= this.open().finally(() => {
      this.connecting = null;
    });
    return this.connecting;
  }

  private async open(): Promise<void> {
    if (this.closed || this.client) return;
    const client = new pg.Client({ ...this.config, statement_timeout: 5_000, query_timeout: 5_000 });
    client.on('error', () => this.drop(client));
    client.on('end', () => this.drop(client));
    client.on('notification', ({ channel, payload }) => {
      for (const callback of this.callbacks.get(channel) ?? []) callback(payload ?? '');
    });
    try {
      await client.connect();
      for (const channel of this.callbacks.keys()) await client.query(`listen "${channel}"`);
      this.client = client;
      this.pause = 100;
      this.keepAlive(client);
    } catch (error) {
      this.logger.debug({ err: error }, 'the listening connection is not there yet');
      void client.end().catch(() => undefined);
      this.later();
    }
  }

  private keepAlive(client: pg.Client): void {
    this.timer = setTimeout(() => {
      client.query('select 1').then(
        () => this.client === client && this.keepAlive(client),
        () => this.drop(client),
      );
    }, keepAliveMs);
  }

  private drop(client = this.client): void {
    if (!client || this.client !== client) return;
    this.client = null;
    if (this.timer) clearTimeout(this.timer);
    void client.end().catch(() => undefined);
    this.later();
  }

  private later(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => void this.connect(), this.pause);
    this.pause = Math.min(2_000, this.pause * 2);
  }
}
