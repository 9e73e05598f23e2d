import { hostname } from 'node:os';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { openMessaging } from '@app/messaging';
import { openDatabase, PostgresBusStore, untilCurrent } from '@app/persistence';
import { createLogger, loadConfig, Metrics, NestLogger, refuseConfig, Shutdown } from '@app/runtime';
import { Executor } from './executor.js';
import { ExecutorModule } from './executor.module.js';
import { HandlerRegistry } from './nodes/handler-registry.js';
import { createPerformers, createSidePerformer } from './nodes/performers.js';

/**
 * Runs an executor as a process of its own until it is told to end.
 * @param mayBegin it is ready for work, and takes none before this resolves
 * @param environment the variables that configure it; without them those of the process
 */
export async function runExecutor(
  name = `${hostname()}:${process.pid}`,
  mayBegin: Promise<unknown> = Promise.resolve(),
  environment?: Readonly<Record<string, string>>,
): Promise<void> {
  const config = loadConfig('executor', environment);
  const handlers = await new HandlerRegistry()
    .load(config.executor.handlers)
    .catch((error: unknown) => refuseConfig('executor', `FANFOLD_HANDLERS: ${(error as Error).message}`));
  const logger = createLogger({ level: config.process.logLevel, fields: { service: 'executor' } });
  const metrics = new Metrics().collectProcess();
  const shutdown = new Shutdown({ graceMs: config.process.shutdownGraceMs, logger }).listen();
  const database = await openDatabase(
    { ...config.database, schema: config.database.namespace, applicationName: 'fanfold-executor', use: 'path' },
    (error) => logger.warn({ err: error }, 'an idle database connection failed'),
  );
  const messaging = openMessaging({
    rabbitmqUrl: config.bus.rabbitmqUrl,
    namespace: config.bus.namespace,
    busStore: () => new PostgresBusStore(database, logger),
    logger,
    metrics,
  });
  const executor = new Executor({
    database,
    messaging,
    config: config.executor,
    name,
    handlers,
    performers: createPerformers({ config: config.executor, handlers, database, logger }),
    sidePerformer: createSidePerformer({ config: config.executor, database, logger }),
    logger,
    metrics,
    shutdown,
    graceMs: config.process.shutdownGraceMs,
  });
  const app = await NestFactory.create<NestExpressApplication>(ExecutorModule.forRoot(executor, metrics), {
    logger: new NestLogger(logger),
  });
  app.connectMicroservice({ strategy: messaging.strategy });
  await app.listen(config.http.port, config.http.host);
  await mayBegin;
  await untilCurrent(database, config.database.migrate, shutdown.signal, logger);
  await executor.start();
  await app.startAllMicroservices();
  shutdown
    .step('stop taking', () => messaging.strategy.close())
    .step('finish', () => executor.drain())
    .step('close', async () => {
      await messaging.bus.close();
      await database.close();
      await app.close();
    });
  logger.info({ port: config.http.port }, 'executor ready');
}
