import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { bindQueue, type QueueBinding, type QueueHandler, type QueueOptions } from './queue-options.js';
import type { Capacity, QueueConsumer } from './queue-consumer.js';
import { QueueContext } from './queue-context.js';

/**
 * What both strategies share: which handler reads which queue, and the capacity of each. Queues come from `@Consume` or,
 * where they are known only at run time, from {@link consume}.
 */
export abstract class QueueServer extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('fanfold');
  private readonly bindings = new Map<string, QueueBinding>();
  private readonly capacities = new Map<string, Capacity>();
  private readonly consumers = new Map<string, QueueConsumer>();
  private listening = false;
  private closed?: Promise<void>;

  /** A consumer of one queue that asks `capacity` before it takes anything. Not started yet. */
  protected abstract open(binding: QueueBinding, capacity: Capacity): QueueConsumer;

  /** Consumes a queue; before or after the strategy listens. A queue has one handler in a process. */
  consume(queue: string, handler: QueueHandler, options: QueueOptions = {}): void {
    if (this.bindings.has(queue)) throw new Error(`queue ${queue} has a handler already`);
    this.bindings.set(queue, bindQueue(queue, handler, options));
    if (this.listening) this.startConsumer(queue);
  }

  /** Registers how much room there is for a queue. At 0 nothing more is taken until {@link poke} finds some. */
  setCapacity(queue: string, capacity: Capacity): void {
    this.capacities.set(queue, capacity);
    this.poke(queue);
  }

  poke(queue: string): void {
    this.consumers.get(queue)?.poke();
  }

  /** Queues that are to be consumed and are not, for now. */
  get unestablished(): string[] {
    return [...this.consumers].flatMap(([queue, consumer]) => (consumer.established ? [] : [queue]));
  }

  /** Starts every consumer and returns at once: an absent bus is waited for in the background. */
  listen(callback: (error?: unknown) => void): void {
    try {
      for (const [name, handler] of this.messageHandlers) this.bindDecorated(name, handler);
      this.listening = true;
      for (const queue of this.bindings.keys()) this.startConsumer(queue);
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Drains: nothing new is taken, what is in flight ends and is acknowledged. */
  close(): Promise<void> {
    this.listening = false;
    this.closed ??= Promise.all([...this.consumers.values()].map((consumer) => consumer.drain())).then(() => undefined);
    return this.closed;
  }

  on(): void {
    // The consumers look after their own connections; there are no events to hand out.
  }

  unwrap<T>(): T {
    return this.consumers as T;
  }

  private startConsumer(queue: string): void {
    if (this.consumers.has(queue) || this.closed) return;
    const capacity = () => this.capacityOf(queue);
    const consumer = this.open(this.bindings.get(queue)!, capacity);
    this.consumers.set(queue, consumer);
    consumer.start();
  }

  private capacityOf(queue: string): number {
    try {
      return this.capacities.get(queue)?.() ?? Number.POSITIVE_INFINITY;
    } catch (error) {
      this.logger.error(error);
      return 0;
    }
  }

  private bindDecorated(name: string, handler: MessageHandler): void {
    const { queue, ...options } = (handler.extras ?? {}) as { queue?: string } & QueueOptions;
    if (queue === undefined) throw new Error(`handler ${name} names no queue; declare it with @Consume`);
    if (handler.next) throw new Error(`message ${name} has more than one handler`);
    this.consume(queue, (payloads) => callNest(handler, payloads, new QueueContext([queue])), options);
  }
}

// Nest answers with a stream; only its end tells whether the handler threw.
const callNest = async (handler: MessageHandler, payloads: unknown[], context: QueueContext): Promise<void> => {
  const result: unknown = await handler(payloads, context);
  if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
};
