import type { Options } from 'amqplib';
import type { Logger } from '@app/runtime';
import { queuePolicy, signalExchange } from './queue-policy.js';
import type { RabbitMqConnection } from './rabbitmq-connection.js';
import { RabbitMqOutlet, type Route } from './rabbitmq-outlet.js';

const persistent: Options.Publish = { persistent: true, mandatory: true };

/** Publishes with confirms: one outlet for each queue and topic. */
export class RabbitMqPublisher {
  private readonly outlets = new Map<string, RabbitMqOutlet>();

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly namespace: string,
    private readonly logger: Logger,
  ) {}

  /** @throws BusUnavailable */
  publish(queue: string, bodies: readonly string[]): Promise<void> {
    const { name, options } = queuePolicy(this.namespace, queue);
    const declare: Route['declare'] = (channel) => channel.assertQueue(name, options);
    return this.outlet({ exchange: '', key: name, options: persistent, declare }).send(bodies);
  }

  /** @throws BusUnavailable */
  signal(topic: string, body: string): Promise<void> {
    const exchange = signalExchange(this.namespace, topic);
    const declare: Route['declare'] = (channel) => channel.assertExchange(exchange, 'fanout', { durable: true });
    return this.outlet({ exchange, key: '', options: {}, declare }).send([body]);
  }

  private outlet(route: Route): RabbitMqOutlet {
    const name = `${route.exchange}/${route.key}`;
    const known = this.outlets.get(name);
    if (known) return known;
    const outlet = new RabbitMqOutlet(this.connection, route, this.logger);
    this.outlets.set(name, outlet);
    return outlet;
  }
}
