import type { DeliveryTools } from '../delivery/batch-delivery.js';
import { DEAD_LETTER_QUEUE } from '../delivery/dead-letter.js';
import type { Capacity, QueueConsumer } from '../delivery/queue-consumer.js';
import type { QueueBinding } from '../delivery/queue-options.js';
import { QueueServer } from '../delivery/queue-server.js';
import { queuePolicy } from './queue-policy.js';
import type { RabbitMqBus } from './rabbitmq-bus.js';
import { RabbitMqConsumer } from './rabbitmq-consumer.js';

/** Nest's way to the queues of RabbitMQ. Shares the consuming connection of the bus, which outlives it. */
export class RabbitMqStrategy extends QueueServer {
  constructor(
    private readonly bus: RabbitMqBus,
    private readonly namespace: string,
    private readonly tools: Omit<DeliveryTools, 'bus'>,
  ) {
    super();
  }

  protected override open(binding: QueueBinding, capacity: Capacity): QueueConsumer {
    const tools = { ...this.tools, bus: this.bus };
    const policies = {
      queue: queuePolicy(this.namespace, binding.queue),
      deadLetters: queuePolicy(this.namespace, DEAD_LETTER_QUEUE),
    };
    return new RabbitMqConsumer(this.bus.consuming, policies, binding, capacity, tools);
  }
}
