import type { Channel, ConsumeMessage } from 'amqplib';
import { sleep, type Logger } from '@app/runtime';
import type { ForeignBinding, ForeignConsumer, ForeignHandler } from '../foreign/foreign-queue.js';
import { abandon, answerWithin } from './answer-within.js';
import { Backoff } from './backoff.js';
import type { RabbitMqConnection } from './rabbitmq-connection.js';

/**
 * One queue of somebody else's, on a channel of its own.
 *
 * A session is: look whether the queue is there, declare it where it is not (durable, quorum), bind it, consume until the
 * channel ends for whatever reason; then a rest, longer after each failure, and again. Nothing is ever rejected: a message is
 * acknowledged once its handler has resolved, on the channel that brought it. A channel that is gone has given its messages back, and
 * whatever was made of them must bear to be made once more.
 */
export class RabbitMqForeignConsumer implements ForeignConsumer {
  trouble: string | null = null;
  private readonly ending = new AbortController();
  private readonly inFlight = new Set<Promise<void>>();
  private readonly running: Promise<void>;

  constructor(
    private readonly connection: RabbitMqConnection,
    private readonly binding: ForeignBinding,
    private readonly handler: ForeignHandler,
    private readonly logger: Logger,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
    await Promise.all(this.inFlight);
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    const backoff = new Backoff();
    while (!signal.aborted) {
      await this.connected();
      if (signal.aborted) return;
      try {
        await this.session(backoff);
      } catch (error) {
        this.note((error as Error).message);
      }
      await sleep(backoff.next(), signal);
    }
  }

  /** Resolves when there is a connection, or the consumer is to stop. */
  private async connected(): Promise<void> {
    const { signal } = this.ending;
    if (this.connection.model || signal.aborted) return;
    this.note('the broker is away');
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.connection.off('up', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.connection.on('up', done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  private async session(backoff: Backoff): Promise<void> {
    const { queue, prefetch } = this.binding;
    const isThere = await this.exists();
    const channel = await this.openChannel();
    const over = new AbortController();
    channel.once('close', () => over.abort());
    try {
      if (!isThere)
        await answerWithin(channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } }));
      if (this.binding.exchange !== null)
        await answerWithin(channel.bindQueue(queue, this.binding.exchange, this.binding.routingKey ?? ''));
      await answerWithin(channel.prefetch(prefetch));
      await answerWithin(
        channel.consume(queue, (message) => {
          if (message) return this.arrive(channel, message, over.signal);
          this.note('the broker cancelled the consumer');
          over.abort();
        }),
      );
      this.trouble = null;
      backoff.reset();
      this.logger.info({ queue }, 'consuming a queue of others');
      await aborted(AbortSignal.any([over.signal, this.ending.signal]));
    } finally {
      over.abort();
      abandon(channel);
    }
  }

  /** A passive declare that fails takes its channel along, so it has one of its own. */
  private async exists(): Promise<boolean> {
    const channel = await this.openChannel();
    try {
      await answerWithin(channel.checkQueue(this.binding.queue));
      return true;
    } catch (error) {
      if ((error as { code?: number }).code === 404) return false;
      throw error;
    } finally {
      abandon(channel);
    }
  }

  private async openChannel(): Promise<Channel> {
    const { model } = this.connection;
    if (!model) throw new Error('the broker is away');
    const channel = await model.createChannel();
    channel.on('error', (error) => this.note((error as Error).message));
    channel.on('handler-error', (err) => this.logger.error({ err }, 'channel event handler failed'));
    return channel;
  }

  private arrive(channel: Channel, message: ConsumeMessage, over: AbortSignal): void {
    const signal = AbortSignal.any([over, this.ending.signal]);
    const id: unknown = message.properties.messageId;
    const messageId = typeof id === 'string' && id !== '' ? id : null;
    const handled = this.handler({ body: message.content, messageId }, signal)
      .then(() => acknowledge(channel, message, over))
      .catch((error: unknown) => {
        // Not acknowledged: it comes again when the channel ends.
        if (!signal.aborted)
          this.logger.error({ err: error, queue: this.binding.queue }, 'a handler of messages failed');
      })
      .finally(() => this.inFlight.delete(handled));
    this.inFlight.add(handled);
  }

  private note(trouble: string): void {
    if (this.trouble === trouble || this.ending.signal.aborted) return;
    this.trouble = trouble;
    this.logger.warn({ queue: this.binding.queue, trouble }, 'a queue of others is not consumed');
  }
}

function acknowledge(channel: Channel, message: ConsumeMessage, over: AbortSignal): void {
  if (over.aborted) return;
  try {
    channel.ack(message);
  } catch {
    // Closing under our hands: the broker hands it out again.
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
