import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { busHealth, consumersHealth, openMessaging } from '@app/messaging';
import {
  openDatabase,
  PostgresBusStore,
  RepairStore,
  schemaHealth,
  untilCurrent,
  type Database,
} from '@app/persistence';
import {
  CONFIG_EXIT_CODE,
  childEnvironment,
  createLogger,
  Metrics,
  NestLogger,
  Shutdown,
  SystemRandom,
  type Logger,
  type StandaloneConfig,
} from '@app/runtime';
import { apiAppOptions, configureApi } from '../../api/src/configure-api.js';
import { engineControl } from '../../api/src/executions/engine-control.js';
import { Orchestrator } from '../../orchestrator/src/orchestrator.js';
import { keptApiKey } from './api-key-file.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/index.js';
import { ExecutorProcess } from './executor-process.js';
import type { ForkedExecutor } from './forked-executor.js';
import { StandaloneModule } from './standalone.module.js';

export interface Engine {
  readonly url: string;
  readonly apiKey: string;
  /** Where the key is kept; null when the environment gave it. */
  readonly apiKeyFile: string | null;
  readonly shutdown: Shutdown;
}

export interface EngineStart {
  /** Variables of the executor beside those of this process. */
  readonly executorEnvironment?: Readonly<Record<string, string>>;
  /** An executor that was started already. */
  readonly executor?: ForkedExecutor | null;
  /** An embedded server that is there, or on its way, already. */
  readonly embedded?: Promise<EmbeddedPostgres>;
  /** The engine answers, and performs nothing until this resolves. */
  readonly beforeWork?: (engine: Pick<Engine, 'url' | 'apiKey'>) => Promise<unknown>;
}

/** The whole engine on one machine: the embedded server, api and orchestrator here, the executor in a child process. */
export async function startEngine(config: StandaloneConfig, start: EngineStart = {}): Promise<Engine> {
  const logger = createLogger({ level: config.process.logLevel, fields: { service: 'standalone' } });
  const metrics = new Metrics().collectProcess();
  const shutdown = new Shutdown({ graceMs: config.process.shutdownGraceMs, logger }).listen();
  const random = new SystemRandom();
  const dataDir = resolve(config.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const embedded =
    config.database.url === undefined
      ? await (start.embedded ??
          startEmbeddedPostgres({ dataDir, newPassword: () => random.bytes(18).toString('hex') }))
      : null;
  const { key, file } = config.apiKey
    ? { key: config.apiKey, file: null }
    : keptApiKey(dataDir, () => random.bytes(24).toString('base64url'));
  const addressFile = join(dataDir, 'engine.json');
  const url = config.database.url ?? embedded!.url;
  let onDeath: (name: string) => void = () => undefined;
  const executor = new ExecutorProcess(
    childEnvironment({ ...executorVariables(config, url), ...start.executorEnvironment }),
    logger,
    (name) => onDeath(name),
    () => void shutdown.exitAfterDrain('the executor refused its configuration', CONFIG_EXIT_CODE),
    start.executor,
  );
  executor.start();
  const settings = {
    ...config.database,
    url,
    directUrl: config.database.directUrl ?? url,
    schema: config.database.namespace,
    applicationName: 'fanfold-standalone',
  };
  const onIdleError = (error: Error): void => logger.warn({ err: error }, 'an idle database connection failed');
  const database = await openDatabase({ ...settings, use: 'path' }, onIdleError);
  const reading = await openDatabase({ ...settings, use: 'read' }, onIdleError);
  await untilCurrent(database, config.database.migrate, shutdown.signal, logger);
  const messaging = openMessaging({
    rabbitmqUrl: config.bus.rabbitmqUrl,
    namespace: config.bus.namespace,
    busStore: () => new PostgresBusStore(database, logger),
    logger,
    metrics,
  });
  const orchestrator = new Orchestrator({
    database,
    messaging,
    flow: config.flow,
    bodyLimitBytes: config.http.bodyLimitBytes,
    logger,
    metrics,
    shutdown,
  });
  const module = StandaloneModule.forRoot({
    api: {
      database: reading,
      bus: messaging.bus,
      logger,
      apiKey: key,
      metrics,
      bodyLimitBytes: config.http.bodyLimitBytes,
      admissionWindow: config.flow.admissionWindow,
      control: engineControl(reading, messaging.bus),
      takesMessages: messaging.foreign !== null,
    },
    orchestrator,
    metrics,
    probes: {
      loops: orchestrator.probes.loops,
      ready: [schemaHealth(database), busHealth(messaging.bus, 'down'), consumersHealth(messaging.strategy)],
      shutdown,
    },
  });
  const app = await NestFactory.create<NestExpressApplication>(module, {
    ...apiAppOptions,
    logger: new NestLogger(logger),
  });
  configureApi(app);
  app.connectMicroservice({ strategy: messaging.strategy });
  onDeath = (name) => void releaseDead(database, orchestrator, name, logger);
  if (embedded) await releaseEarlierLives(database, orchestrator, logger);
  await orchestrator.start();
  await app.startAllMicroservices();
  shutdown
    .step('stop taking', () => messaging.strategy.close())
    .step('drain the executor', () => executor.stop())
    .step('stop loops', () => orchestrator.stop())
    .step('stop answering', async () => {
      rmSync(addressFile, { force: true });
      await app.close();
    })
    .step('close', async () => {
      await messaging.bus.close();
      await Promise.all([database.close(), reading.close()]);
      await embedded?.stop();
    });
  await app.listen(config.http.port, config.http.host);
  const { port } = app.getHttpServer().address() as { port: number };
  const local = `http://${printable(config.http.host)}:${port}`;
  const engine = { url: config.http.publicUrl ?? local, apiKey: key, apiKeyFile: file, shutdown };
  await start.beforeWork?.(engine);
  // Told to end meanwhile: nothing is begun.
  if (shutdown.draining) return engine;
  // Programs that are given the data folder find its engine here, once its owner has made it ready for others.
  const found = { url: local, pid: process.pid, folder: process.cwd() };
  writeFileSync(addressFile, `${JSON.stringify(found)}\n`, { mode: 0o644 });
  executor.begin();
  return engine;
}

/** The data folder's lock proves that every executor of an earlier life is dead: nobody waits for a lease. */
async function releaseEarlierLives(database: Database, orchestrator: Orchestrator, logger: Logger): Promise<void> {
  const lost = await new RepairStore().markAllLost(database.any);
  if (lost > 0) logger.info({ incarnations: lost }, 'executors of an earlier life are gone');
  while ((await orchestrator.lost.release()) > 0);
}

async function releaseDead(
  database: Database,
  orchestrator: Orchestrator,
  name: string,
  logger: Logger,
): Promise<void> {
  try {
    await new RepairStore().markNamedLost(database.any, name);
    await orchestrator.lost.release();
  } catch (error) {
    logger.warn({ err: error }, 'a dead executor is released later, by its lease');
  }
}

function executorVariables(config: StandaloneConfig, url: string): Record<string, string | undefined> {
  const { executor } = config;
  return {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: undefined,
    FANFOLD_MIGRATE: 'off',
    PORT: '0',
    HOST: '127.0.0.1',
    EXECUTOR_ALLOW_SHELL: String(executor.allowShell),
    EXECUTOR_HTTP_ALLOW: executor.httpAllow.length > 0 ? executor.httpAllow.join(',') : undefined,
  };
}

function printable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
}
