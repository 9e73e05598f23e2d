import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fsck, openDatabase, type Breach, type Database } from '@app/persistence';
import pg from 'pg';
import { ApiClient } from './api-client.js';
import { EngineProcess, room, type Role } from './engine-process.js';
import { freshDatabase } from './postgres.js';
import { freshNamespace, testRabbitUrl } from './rabbit.js';

export const modes = ['services over RabbitMQ', 'services without a broker', 'standalone'] as const;
export type Mode = (typeof modes)[number];

export interface EngineOptions {
  readonly mode: Mode;
  readonly apis?: number;
  readonly orchestrators?: number;
  readonly executors?: number;
  /** For all of its processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** For the executors alone. */
  readonly executorEnv?: Readonly<Record<string, string>>;
  /** A way to the broker or the database that a test may cut; the test's own statements go past it. */
  readonly rabbitmqUrl?: string;
  /** A server of the suite's own to make its database on. */
  readonly databaseServer?: string;
  readonly through?: (role: Role, url: string) => string;
}

const KEY = 'test-key-0123456789abcdef';

interface Stored {
  readonly mode: Mode;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly processes: ReturnType<EngineProcess['toJSON']>[];
}

/** A whole engine in processes of its own, as an operator runs it, on a database of its own. */
export class Engine {
  readonly api: ApiClient;
  private database: Database | undefined;

  private constructor(
    readonly mode: Mode,
    readonly databaseUrl: string,
    readonly namespace: string,
    readonly processes: EngineProcess[],
    private readonly launch: (role: Role, env?: EngineOptions['env']) => Promise<EngineProcess>,
  ) {
    this.api = new ApiClient(this.named('api')[0]!.url, KEY);
  }

  static async start(options: EngineOptions): Promise<Engine> {
    const { mode, apis = 1, orchestrators = 1, executors = 2 } = options;
    const database = await freshDatabase(options.databaseServer);
    const namespace = freshNamespace();
    const dataDir = join(room(), namespace);
    mkdirSync(dataDir);
    let count = 0;
    const launch = (role: Role, env?: EngineOptions['env']) =>
      EngineProcess.launch(role, `${namespace}-${role}${count++}`, {
        DATABASE_URL: options.through?.(role, database.url) ?? database.url,
        ...(mode === 'services over RabbitMQ' ? { RABBITMQ_URL: options.rabbitmqUrl ?? testRabbitUrl() } : {}),
        FANFOLD_NAMESPACE: namespace,
        FANFOLD_API_KEY: KEY,
        FANFOLD_DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        EXECUTOR_HTTP_ALLOW: '127.0.0.0/8',
        EXECUTOR_ALLOW_SHELL: 'true',
        // one mode decides about every graph as about a large one, so that all tests of graphs are tests of that
        ...(mode === 'standalone' ? { LARGE_GRAPH_NODES: '2' } : {}),
        ...options.env,
        ...(role === 'executor' || role === 'standalone' ? options.executorEnv : {}),
        ...env,
      });
    const roles: Role[] =
      mode === 'standalone'
        ? ['standalone']
        : [
            ...Array<Role>(apis).fill('api'),
            ...Array<Role>(orchestrators).fill('orchestrator'),
            ...Array<Role>(executors).fill('executor'),
          ];
    const processes: EngineProcess[] = [];
    for (const role of roles) processes.push(await launch(role));
    const engine = new Engine(mode, database.url, namespace, processes, launch);
    try {
      await Promise.all(processes.map((process) => process.ready()));
    } catch (error) {
      await engine.stop();
      throw error;
    }
    return engine;
  }

  /**
   * The engine of that mode which this run's test files share. One that broke an invariant is not handed on: the next file
   * gets a fresh one.
   */
  static async shared(mode: Mode): Promise<Engine> {
    const file = sharedFile(mode);
    if (existsSync(file)) {
      const stored = JSON.parse(readFileSync(file, 'utf8')) as Stored;
      const processes = stored.processes.map((one) =>
        EngineProcess.from(one as Parameters<typeof EngineProcess.from>[0]),
      );
      if (processes.every((one) => one.running))
        return new Engine(mode, stored.databaseUrl, stored.namespace, processes, () =>
          Promise.reject(new Error('a shared engine keeps its size')),
        );
    }
    const engine = await Engine.start({ mode });
    const { databaseUrl, namespace, processes } = engine;
    writeFileSync(file, JSON.stringify({ mode, databaseUrl, namespace, processes }));
    return engine;
  }

  /** Processes of a role; standalone is all of them. */
  named(role: Role): EngineProcess[] {
    return this.processes.filter((one) => one.role === role || one.role === 'standalone');
  }

  /** One more process, ready. @param env for it alone */
  async add(role: Role, env?: EngineOptions['env']): Promise<EngineProcess> {
    const added = await this.launch(role, env);
    this.processes.push(added);
    return added.ready();
  }

  /** A connection of the test's own, past whatever stands between the services and the database. */
  async store(): Promise<Database> {
    return (this.database ??= await openDatabase(
      { url: this.databaseUrl, schema: this.namespace, poolMax: 4, applicationName: 'test', use: 'read' as const },
      () => undefined,
    ));
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await (await this.store()).pool.query<Row>(text, values)).rows;
  }

  /** What breaks the invariants I1 to I6. */
  async fsck(): Promise<Breach[]> {
    return fsck((await this.store()).any);
  }

  /** The last of what its processes wrote. */
  get log(): string {
    return this.processes.map((one) => `--- ${one.name}\n${one.log.slice(-3_000)}`).join('\n');
  }

  /** Lets go of it, and leaves it to the next test file. */
  async leave(): Promise<void> {
    await this.database?.close();
    this.database = undefined;
  }

  /** Ends it, and its database with it. */
  async stop(): Promise<void> {
    await this.leave();
    await Promise.all(this.processes.map((one) => one.kill().catch(() => undefined)));
    const url = new URL(this.databaseUrl);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  }
}

const sharedFile = (mode: Mode): string => join(room(), `${mode.replaceAll(' ', '-')}.json`);
