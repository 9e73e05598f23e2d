import type { DeliveryTools } from '../delivery/batch-delivery.js';
import type { Capacity, QueueConsumer } from '../delivery/queue-consumer.js';
import type { QueueBinding } from '../delivery/queue-options.js';
import { QueueServer } from '../delivery/queue-server.js';
import type { PostgresBus } from './postgres-bus.js';
import { PostgresConsumer } from './postgres-consumer.js';

/** Nest's way to the queues of the Postgres bus. */
export class PostgresStrategy extends QueueServer {
  constructor(
    private readonly bus: PostgresBus,
    private readonly tools: Omit<DeliveryTools, 'bus'>,
  ) {
    super();
  }

  protected override open(binding: QueueBinding, capacity: Capacity): QueueConsumer {
    return new PostgresConsumer(this.bus, binding, capacity, { ...this.tools, bus: this.bus });
  }
}
