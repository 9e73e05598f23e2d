import { createHash } from 'node:crypto';
import type { Logger } from '@app/runtime';
import { connectionConfig, type Database } from '../database/database.js';
import { countMessages } from './count-messages.sql.js';
import { notifyChannel } from './notify-channel.sql.js';
import { publishMessages } from './publish-messages.sql.js';
import { takeMessages } from './take-messages.sql.js';
import { trimMessages } from './trim-messages.sql.js';
import { Listener } from './listener.js';

const doorbell = 'doorbell';

/** What the Postgres bus needs of the database: messages as rows, doorbells as notifications. */
export class PostgresBusStore {
  private readonly listener: Listener;

  constructor(
    private readonly database: Database,
    logger: Logger,
  ) {
    const { settings } = database;
    this.listener = new Listener(connectionConfig(settings, settings.directUrl ?? settings.url), logger);
  }

  get state(): 'up' | 'down' {
    return this.listener.state;
  }

  async publish(queue: string, bodies: readonly string[]): Promise<void> {
    await this.database.any.query(publishMessages, [queue, bodies, this.channel(doorbell)]);
  }

  async take(queue: string, limit: number): Promise<string[]> {
    const { rows } = await this.database.any.query<{ id: number; body: string }>(takeMessages, [queue, limit]);
    return rows.sort((a, b) => a.id - b.id).map((r) => r.body);
  }

  async depth(queue: string): Promise<number> {
    const { rows } = await this.database.any.query<{ n: number }>(countMessages, [queue, 100_000]);
    return rows[0]!.n;
  }

  async trim(queue: string, keep: number): Promise<void> {
    await this.database.any.query(trimMessages, [queue, keep]);
  }

  async notify(channel: string, payload: string): Promise<void> {
    await this.database.any.query(notifyChannel, [this.channel(channel), payload]);
  }

  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>> {
    return this.listener.listen(this.channel(channel), callback);
  }

  close(): Promise<void> {
    return this.listener.close();
  }

  /** Channels are shared by the whole database and cut at 63 bytes: prefixed by the namespace, hashed when long. */
  private channel(name: string): string {
    const full = `${this.database.settings.schema}_${name}`;
    return full.length <= 63
      ? full
      : `${full.slice(0, 30)}_${createHash('sha256').update(full).digest('hex').slice(0, 32)}`;
  }
}
