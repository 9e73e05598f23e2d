import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { migrate, openDatabase, type Database } from '@app/persistence';
import { Metrics, silentLogger } from '@app/runtime';
import { ApiServiceModule } from '../../../apps/api/src/app.module.js';
import { apiAppOptions, configureApi } from '../../../apps/api/src/configure-api.js';
import type { ControlPort } from '../../../apps/api/src/executions/control-port.js';
import type { Hints } from '../../../apps/api/src/hints/hint-bus.js';

export const adminKey = 'test-key';

export interface Reply {
  readonly status: number;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the api answers
  readonly json: any;
  readonly headers: Headers;
}

/** A bus within the test: what was published is kept, signals reach every subscriber. */
export class TestBus implements Hints {
  readonly published: { queue: string; message: object }[] = [];
  private readonly listeners = new Map<string, Set<(payload: unknown) => void>>();
  state: 'up' | 'down' | 'blocked' = 'up';

  async publish(queue: string, messages: readonly object[]): Promise<void> {
    if (this.state !== 'up') throw new Error('the bus is away');
    for (const message of messages) this.published.push({ queue, message });
  }

  async subscribe(topic: string, listener: (payload: unknown) => void): Promise<() => Promise<void>> {
    const known = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, known.add(listener));
    return async () => void known.delete(listener);
  }

  async signal(topic: string, payload: object): Promise<void> {
    for (const listener of this.listeners.get(topic) ?? []) listener(payload);
  }
}

export interface ApiReplica {
  readonly url: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  close(): Promise<void>;
}

export interface ApiUnderTest extends ApiReplica {
  readonly database: Database;
  readonly bus: TestBus;
  /** Another process on the same database. */
  replica(): Promise<ApiReplica>;
}

export interface ApiTestOptions {
  readonly bodyLimitBytes?: number;
  readonly control?: ControlPort;
  /** The way to the database, for tests that cut it. */
  readonly databaseUrl?: string;
}

/** An api with a fresh schema of its own on the test server; closing it drops the schema. */
export async function apiUnderTest(options: ApiTestOptions = {}): Promise<ApiUnderTest> {
  const url = process.env.FANFOLD_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const schema = `api_test_${randomBytes(6).toString('hex')}`;
  const settings = { url, schema, poolMax: 10, applicationName: 'api-test', use: 'read' as const };
  await migrate(settings);
  const bus = new TestBus();
  const database = await openDatabase({ ...settings, url: options.databaseUrl ?? url }, () => undefined);
  const first = await listen(database, bus, options);
  const opened: { database: Database; replica: ApiReplica }[] = [];
  return {
    ...first,
    database,
    bus,
    async replica() {
      const own = await openDatabase(settings, () => undefined);
      const replica = await listen(own, bus, options);
      opened.push({ database: own, replica });
      return replica;
    },
    async close() {
      for (const other of opened) {
        await other.replica.close();
        await other.database.close();
      }
      await first.close();
      await database.pool.query(`drop schema ${schema} cascade`);
      await database.close();
    },
  };
}

async function listen(database: Database, bus: TestBus, options: ApiTestOptions): Promise<ApiReplica> {
  const module = ApiServiceModule.forRoot({
    database,
    bus,
    logger: silentLogger,
    metrics: new Metrics(),
    apiKey: adminKey,
    bodyLimitBytes: options.bodyLimitBytes ?? 16 * 1024 * 1024,
    admissionWindow: 5_000,
    control: options.control,
    probes: { ready: [], shutdown: { draining: false } },
  });
  const app = await NestFactory.create<NestExpressApplication>(module, { ...apiAppOptions, logger: false });
  configureApi(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  return { url, call: caller(url), close: () => app.close() };
}

function caller(url: string): ApiReplica['call'] {
  return async (method, path, body, headers = {}) => {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      body: body === undefined ? undefined : raw ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${adminKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: response.status, text, json, headers: response.headers };
  };
}

/** A fan-out over `input.items` with one HTTP call per item, and its merge. */
export function fanOutDefinition(name: string, changes: { spawner?: object; merge?: object; top?: object } = {}) {
  return {
    name,
    nodes: [
      {
        id: 'fan',
        type: 'SPAWNER',
        config: {
          items: '${input.items}',
          node: { type: 'HTTP', config: { method: 'POST', url: 'http://127.0.0.1:9/item', body: '${item}' } },
          ...changes.spawner,
        },
      },
      { id: 'join', type: 'MERGE', config: { ...changes.merge } },
    ],
    edges: [{ from: 'fan', to: 'join' }],
    ...changes.top,
  };
}
