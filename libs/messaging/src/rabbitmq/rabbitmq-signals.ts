import type { Channel } from 'amqplib';
import type { Logger } from '@app/runtime';
import { Backoff } from './backoff.js';
import { signalExchange } from './queue-policy.js';
import type { RabbitMqConnection } from './rabbitmq-connection.js';

type Listener = (payload: unknown) => void;

/**
 * The subscriptions of this process. Each topic has one queue of ours, exclusive and gone with the connection, bound to
 * the topic's fan-out exchange. After an outage all are bound anew; what was told meanwhile is lost, as a signal may be.
 */
export class RabbitMqSignals {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly backoff = new Backoff();
  private channel: Promise<Channel> | undefined;
  private bound = new Map<string, Promise<void>>();
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly namespace: string,
    private readonly logger: Logger,
  ) {
    connection.on('up', () => this.bindAll());
    connection.on('down', () => this.forget());
  }

  async subscribe(topic: string, listener: Listener): Promise<() => Promise<void>> {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    if (this.connection.model) await this.bind(topic).catch((err: Error) => this.later(err));
    return async () => {
      // The queue stays until the connection ends: an unheard topic costs nothing, and others may come back to it.
      listeners.delete(listener);
    };
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
  }

  private bindAll(): void {
    if (this.closed || !this.connection.model) return;
    Promise.all([...this.listeners.keys()].map((topic) => this.bind(topic))).then(
      () => this.backoff.reset(),
      (err: Error) => this.later(err),
    );
  }

  private later(err: Error): void {
    if (this.closed) return;
    this.logger.warn({ err: { message: err.message } }, 'signals not heard; trying again');
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.bindAll(), this.backoff.next());
  }

  private bind(topic: string): Promise<void> {
    const known = this.bound.get(topic);
    if (known) return known;
    const binding = this.bindNow(topic);
    this.bound.set(topic, binding);
    binding.catch(() => {
      if (this.bound.get(topic) === binding) this.bound.delete(topic);
    });
    return binding;
  }

  private async bindNow(topic: string): Promise<void> {
    const channel = await (this.channel ??= this.openChannel());
    const exchange = signalExchange(this.namespace, topic);
    await channel.assertExchange(exchange, 'fanout', { durable: true });
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
    await channel.bindQueue(queue, exchange, '');
    await channel.consume(queue, (message) => (message ? this.hear(topic, message.content) : this.forget()), {
      noAck: true,
      exclusive: true,
    });
  }

  private async openChannel(): Promise<Channel> {
    const channel = await this.connection.model!.createChannel();
    channel.on('error', (err) => this.logger.warn({ err: { message: err.message } }, 'signal channel failed'));
    channel.once('close', () => this.forget());
    return channel;
  }

  private forget(): void {
    this.channel?.catch(() => undefined);
    this.channel = undefined;
    this.bound = new Map();
    if (this.connection.model && !this.closed) {
      clearTimeout(this.retry);
      this.retry = setTimeout(() => this.bindAll(), this.backoff.next());
    }
  }

  private hear(topic: string, content: Buffer): void {
    let payload: unknown;
    try {
      payload = JSON.parse(content.toString());
    } catch {
      return this.logger.warn({ topic, bytes: content.length }, 'signal not understood');
    }
    for (const listener of this.listeners.get(topic) ?? [])
      try {
        listener(payload);
      } catch (err) {
        this.logger.error({ err, topic }, 'signal listener failed');
      }
  }
}
