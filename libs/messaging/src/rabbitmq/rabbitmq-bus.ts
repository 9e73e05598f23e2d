import type { Channel } from 'amqplib';
import type { Logger } from '@app/runtime';
import type { Bus, BusState } from '../bus/bus.js';
import type { BusMetrics } from '../bus/bus-metrics.js';
import { signalBody } from '../bus/signal-body.js';
import type { ForeignBinding, ForeignConsumer, ForeignHandler, ForeignQueues } from '../foreign/foreign-queue.js';
import { abandon, answerWithin } from './answer-within.js';
import { queuePolicy } from './queue-policy.js';
import { RabbitMqConnection } from './rabbitmq-connection.js';
import { RabbitMqForeignConsumer } from './rabbitmq-foreign-consumer.js';
import { RabbitMqPublisher } from './rabbitmq-publisher.js';
import { RabbitMqSignals } from './rabbitmq-signals.js';

const DEPTH_TIMEOUT_MS = 3_000;

export interface RabbitMqBusOptions {
  readonly url: string;
  readonly namespace: string;
  readonly logger: Logger;
  readonly metrics: BusMetrics;
}

/**
 * The bus over RabbitMQ. Publishing and consuming have a connection each: an alarm that blocks the one lets the other
 * go on, and acknowledgements never queue behind a burst of publishes.
 */
export class RabbitMqBus implements Bus, ForeignQueues {
  /** The connection that consumers share. */
  readonly consuming: RabbitMqConnection;
  private readonly publishing: RabbitMqConnection;
  private readonly publisher: RabbitMqPublisher;
  private readonly signals: RabbitMqSignals;
  private asking: Promise<Channel> | undefined;

  constructor(private readonly options: RabbitMqBusOptions) {
    const { url, namespace, logger } = options;
    this.consuming = new RabbitMqConnection(url, 'consuming', logger);
    this.publishing = new RabbitMqConnection(url, 'publishing', logger);
    this.publisher = new RabbitMqPublisher(this.publishing, namespace, logger);
    this.signals = new RabbitMqSignals(this.consuming, namespace, logger);
  }

  /** Begins to seek the broker, and goes on seeking it until the bus is closed. */
  open(): this {
    this.consuming.open();
    this.publishing.open();
    return this;
  }

  get state(): BusState {
    if (!this.consuming.model || !this.publishing.model) return 'down';
    return this.publishing.blocked ? 'blocked' : 'up';
  }

  async publish(queue: string, messages: readonly object[]): Promise<void> {
    if (messages.length === 0) return;
    try {
      await this.publisher.publish(
        queue,
        messages.map((message) => JSON.stringify(message)),
      );
      this.options.metrics.published(queue, messages.length);
    } catch (error) {
      this.options.metrics.publishFailed(queue, messages.length);
      throw error;
    }
  }

  async signal(topic: string, payload: object): Promise<void> {
    await this.publisher.signal(topic, signalBody(topic, payload));
  }

  subscribe(topic: string, listener: (payload: unknown) => void): Promise<() => Promise<void>> {
    return this.signals.subscribe(topic, listener);
  }

  async depth(queue: string): Promise<number | null> {
    if (!this.consuming.model) return null;
    const { name, options } = queuePolicy(this.options.namespace, queue);
    const asking = (this.asking ??= this.openAsking());
    try {
      // Declaring it as it should be also answers for a queue that nobody has used yet; a passive declare would fail.
      const { messageCount } = await answerWithin((await asking).assertQueue(name, options), DEPTH_TIMEOUT_MS);
      return messageCount;
    } catch {
      if (this.asking === asking) this.asking = undefined;
      asking.then(abandon, () => undefined);
      return null;
    }
  }

  consume(binding: ForeignBinding, handler: ForeignHandler): ForeignConsumer {
    return new RabbitMqForeignConsumer(this.consuming, binding, handler, this.options.logger);
  }

  async close(): Promise<void> {
    this.signals.close();
    await Promise.all([this.publishing.close(), this.consuming.close()]);
  }

  private async openAsking(): Promise<Channel> {
    const channel = await this.consuming.model!.createChannel();
    channel.on('error', (err) => this.options.logger.warn({ err: { message: err.message } }, 'channel failed'));
    channel.once('close', () => {
      this.asking = undefined;
    });
    return channel;
  }
}
