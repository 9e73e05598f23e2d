import { SystemClock, type Clock, type Logger, type Metrics } from '@app/runtime';
import type { Bus } from './bus/bus.js';
import { busMetrics } from './bus/bus-metrics.js';
import type { QueueServer } from './delivery/queue-server.js';
import type { ForeignQueues } from './foreign/foreign-queue.js';
import type { BusStore } from './postgres/bus-store.js';
import { PostgresBus } from './postgres/postgres-bus.js';
import { PostgresStrategy } from './postgres/postgres.strategy.js';
import { RabbitMqBus } from './rabbitmq/rabbitmq-bus.js';
import { RabbitMqStrategy } from './rabbitmq/rabbitmq.strategy.js';

export interface MessagingOptions {
  /** Undefined: the Postgres bus. */
  readonly rabbitmqUrl: string | undefined;
  readonly namespace: string;
  /** Called for the Postgres bus only. */
  readonly busStore: () => BusStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
}

/** A process's messaging: the bus to inject, and the strategy to connect to its Nest app. */
export interface Messaging {
  readonly bus: Bus;
  readonly strategy: QueueServer;
  /** Queues that others publish to; null on a bus that has none. */
  readonly foreign: ForeignQueues | null;
}

/** Chooses the bus by configuration and begins to connect; returns at once, whether or not the bus is there. */
export const openMessaging = (options: MessagingOptions): Messaging => {
  const metrics = busMetrics(options.metrics);
  const logger = options.logger.child({ part: 'messaging' });
  const tools = { logger, metrics, clock: options.clock ?? new SystemClock() };
  if (options.rabbitmqUrl !== undefined) {
    const { rabbitmqUrl: url, namespace } = options;
    const bus = new RabbitMqBus({ url, namespace, logger, metrics }).open();
    return { bus, strategy: new RabbitMqStrategy(bus, namespace, tools), foreign: bus };
  }
  const bus = new PostgresBus(options.busStore(), logger, metrics).open();
  return { bus, strategy: new PostgresStrategy(bus, tools), foreign: null };
};
