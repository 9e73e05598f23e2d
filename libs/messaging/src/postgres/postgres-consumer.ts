import { Loop } from '@app/runtime';
import { deliverBatch, type DeliveryTools } from '../delivery/batch-delivery.js';
import type { Capacity, QueueConsumer } from '../delivery/queue-consumer.js';
import type { QueueBinding } from '../delivery/queue-options.js';
import type { PostgresBus } from './postgres-bus.js';

const POLL_MS = 500;

/** One queue of the Postgres bus: takes a batch whenever the doorbell rings, and looks twice a second without one. */
export class PostgresConsumer implements QueueConsumer {
  /** Rows need nothing but the database, whose health is its own. */
  readonly established = true;
  private readonly loops: readonly Loop[];
  private readonly silence: () => void;
  /** Messages that are asked for at this moment. */
  private asked = 0;

  constructor(bus: PostgresBus, binding: QueueBinding, capacity: Capacity, tools: DeliveryTools) {
    const runOnce = async (signal: AbortSignal): Promise<number> => {
      // each message is for at least one place
      const most = Math.min(binding.batch, Math.floor(capacity()) - this.asked);
      if (signal.aborted || most <= 0) return 0;
      this.asked += most;
      const taking = bus.store.take(binding.queue, most).finally(() => (this.asked -= most));
      const bodies = await taking;
      if (bodies.length > 0) await deliverBatch(binding, bodies, tools);
      // Less than was asked for means the queue was empty; whatever came since has rung.
      return bodies.length === most ? bodies.length : 0;
    };
    const options = { name: `consume ${binding.queue}`, intervalMs: POLL_MS, maxBackoffMs: 2_000, runOnce };
    // A handler may take as long as it likes: its loop is not stuck.
    const patient = { ...options, stallAfterMs: Number.POSITIVE_INFINITY, logger: tools.logger };
    this.loops = Array.from({ length: binding.concurrency }, () => new Loop(patient));
    this.silence = bus.onPublished(binding.queue, () => this.poke());
  }

  start(): void {
    for (const loop of this.loops) loop.start();
  }

  poke(): void {
    for (const loop of this.loops) loop.ring();
  }

  async drain(): Promise<void> {
    this.silence();
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
