import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { openMessaging } from '@app/messaging';
import { openDatabase, PostgresBusStore, untilCurrent } from '@app/persistence';
import { createLogger, loadConfig, Metrics, NestLogger, Shutdown } from '@app/runtime';
import { Orchestrator } from './orchestrator.js';
import { OrchestratorServiceModule } from './orchestrator.module.js';

/** Runs an orchestrator as a process of its own until it is told to end. */
export async function runOrchestrator(): Promise<void> {
  const config = loadConfig('orchestrator');
  const logger = createLogger({ level: config.process.logLevel, fields: { service: 'orchestrator' } });
  const metrics = new Metrics().collectProcess();
  const shutdown = new Shutdown({ graceMs: config.process.shutdownGraceMs, logger }).listen();
  const database = await openDatabase(
    { ...config.database, schema: config.database.namespace, applicationName: 'fanfold-orchestrator', use: 'path' },
    (error) => logger.warn({ err: error }, 'an idle database connection failed'),
  );
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
  const app = await NestFactory.create<NestExpressApplication>(
    OrchestratorServiceModule.forRoot(orchestrator, metrics),
    {
      logger: new NestLogger(logger),
    },
  );
  app.connectMicroservice({ strategy: messaging.strategy });
  await app.listen(config.http.port, config.http.host);
  await untilCurrent(database, config.database.migrate, shutdown.signal, logger);
  await orchestrator.start();
  await app.startAllMicroservices();
  shutdown
    .step('stop taking', () => messaging.strategy.close())
    .step('stop loops', () => orchestrator.stop())
    .step('close', async () => {
      await messaging.bus.close();
      await database.close();
      await app.close();
    });
  logger.info({ port: config.http.port }, 'orchestrator ready');
}
