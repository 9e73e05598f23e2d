import pg from 'pg';
import type { BusStore } from '@app/messaging';

const KEEPALIVE_MS = 2_000;
const RECONNECT_MS = 100;

/** The least a database must do for the Postgres bus: one table, and a listening connection that comes back. */
export class PlainBusStore implements BusStore {
  private readonly pool: pg.Pool;
  private readonly callbacks = new Map<string, Set<(payload: string) => void>>();
  private client: pg.Client | undefined;
  private connecting: Promise<void> | undefined;
  private keepalive: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly namespace: string,
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: 5, connectionTimeoutMillis: 2_000 });
    this.pool.on('error', () => undefined);
  }

  /** Makes the table; once per namespace. */
  async prepare(): Promise<this> {
    await this.pool.query(
      `create table if not exists ${this.table} (id bigint generated always as identity, queue text, body text, primary key (queue, id))`,
    );
    return this;
  }

  get state(): 'up' | 'down' {
    return this.client ? 'up' : 'down';
  }

  async publish(queue: string, bodies: readonly string[]): Promise<void> {
    await this.pool.query(
      `with published as (insert into ${this.table} (queue, body) select $1, unnest($2::text[]))
       select pg_notify($3, $1)`,
      [queue, bodies, this.channel('doorbell')],
    );
  }

  async take(queue: string, limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ body: string }>(
      `with taken as (
         delete from ${this.table} where queue = $1 and id in
           (select id from ${this.table} where queue = $1 order by id limit $2 for update skip locked)
         returning id, body)
       select body from taken order by id`,
      [queue, limit],
    );
    return rows.map(({ body }) => body);
  }

  async depth(queue: string): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>(
      `select count(*)::int as n from ${this.table} where queue = $1`,
      [queue],
    );
    return rows[0]!.n;
  }

  async trim(queue: string, keep: number): Promise<void> {
    await this.pool.query(
      `delete from ${this.table} where queue = $1 and id <=
         (select id from ${this.table} where queue = $1 order by id desc offset $2 limit 1)`,
      [queue, keep],
    );
  }

  async notify(channel: string, payload: string): Promise<void> {
    await this.pool.query('select pg_notify($1, $2)', [this.channel(channel), payload]);
  }

  async listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>> {
    const name = this.channel(channel);
    const callbacks = this.callbacks.get(name) ?? new Set();
    this.callbacks.set(name, callbacks.add(callback));
    if (this.client) await this.client.query(`listen "${name}"`);
    else await this.connect();
    return async () => void callbacks.delete(callback);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.keepalive);
    await this.connecting;
    await this.client?.end().catch(() => undefined);
    await this.pool.end();
  }

  private connect(): Promise<void> {
    this.connecting ??= this.connectUntilUp().finally(() => {
      this.connecting = undefined;
    });
    return this.connecting;
  }

  private async connectUntilUp(): Promise<void> {
    while (!this.closed) {
      const client = new pg.Client({
        connectionString: this.url,
        connectionTimeoutMillis: 2_000,
        query_timeout: 2_000,
      });
      client.on('error', () => undefined);
      client.on('notification', ({ channel, payload }) => {
        for (const callback of this.callbacks.get(channel) ?? []) callback(payload ?? '');
      });
      try {
        await client.connect();
        for (const channel of this.callbacks.keys()) await client.query(`listen "${channel}"`);
        client.once('end', () => this.lose(client));
        this.client = client;
        // A connection whose other end is gone says nothing by itself.
        this.keepalive = setInterval(() => {
          client.query('select 1').catch(() => this.lose(client));
        }, KEEPALIVE_MS);
        return;
      } catch {
        await client.end().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      }
    }
  }

  private lose(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    clearInterval(this.keepalive);
    client.end().catch(() => undefined);
    if (!this.closed) void this.connect();
  }

  private get table(): string {
    return `bus_${this.namespace}`;
  }

  private channel(name: string): string {
    return `${this.namespace}_${name}`;
  }
}
