import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { busHealth, openMessaging } from '@app/messaging';
import { openDatabase, PostgresBusStore, schemaHealth, untilCurrent } from '@app/persistence';
import { createLogger, loadConfig, Metrics, NestLogger, Shutdown } from '@app/runtime';
import { ApiServiceModule } from './app.module.js';
import { apiAppOptions, configureApi } from './configure-api.js';
import { engineControl } from './executions/engine-control.js';

/** Runs an api as a process of its own until it is told to end. */
export async function runApi(): Promise<void> {
  const config = loadConfig('api');
  const logger = createLogger({ level: config.process.logLevel, fields: { service: 'api' } });
  const metrics = new Metrics().collectProcess();
  const shutdown = new Shutdown({ graceMs: config.process.shutdownGraceMs, logger }).listen();
  const database = await openDatabase(
    { ...config.database, schema: config.database.namespace, applicationName: 'fanfold-api', use: 'read' },
    (error) => logger.warn({ err: error }, 'an idle database connection failed'),
  );
  const { bus, foreign } = openMessaging({
    rabbitmqUrl: config.bus.rabbitmqUrl,
    namespace: config.bus.namespace,
    busStore: () => new PostgresBusStore(database, logger),
    logger,
    metrics,
  });
  const module = ApiServiceModule.forRoot({
    database,
    bus,
    logger,
    metrics,
    apiKey: config.apiKey,
    bodyLimitBytes: config.http.bodyLimitBytes,
    admissionWindow: config.flow.admissionWindow,
    control: engineControl(database, bus),
    takesMessages: foreign !== null,
    probes: { ready: [schemaHealth(database), busHealth(bus, 'degraded')], shutdown },
  });
  const app = await NestFactory.create<NestExpressApplication>(module, {
    ...apiAppOptions,
    logger: new NestLogger(logger),
  });
  configureApi(app);
  await app.listen(config.http.port, config.http.host);
  shutdown
    .step('stop answering', () => app.close())
    .step('close', async () => {
      await bus.close();
      await database.close();
    });
  await untilCurrent(database, config.database.migrate, shutdown.signal, logger);
  logger.info({ port: config.http.port }, 'api ready');
}
