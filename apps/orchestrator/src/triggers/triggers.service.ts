import type { TriggerRow } from '@app/persistence';
import { TriggerConsumer, type ConsumerParts } from './trigger-consumer.js';

/**
 * Keeps this orchestrator consuming the queues of all enabled triggers, as they are now. Every orchestrator consumes all of them; the
 * broker divides the messages.
 */
export class TriggersService {
  private readonly consumers = new Map<number, TriggerConsumer>();

  constructor(private readonly parts: ConsumerParts) {}

  /** Begins, ends and changes consumers, and writes what they have counted. */
  async runOnce(): Promise<void> {
    const enabled = await this.parts.store.enabled(this.parts.database.any);
    const wanted = new Map(enabled.map((trigger) => [trigger.id, trigger]));
    await Promise.all(
      [...this.consumers].map(async ([id, consumer]) => {
        if (wanted.get(id)?.revision !== consumer.trigger.revision) await this.end(id, consumer);
      }),
    );
    for (const trigger of wanted.values()) this.begin(trigger);
    await Promise.all([...this.consumers.values()].map((consumer) => consumer.tell()));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.consumers].map(([id, consumer]) => this.end(id, consumer)));
  }

  private begin(trigger: TriggerRow): void {
    if (!this.consumers.has(trigger.id)) this.consumers.set(trigger.id, new TriggerConsumer(trigger, this.parts));
  }

  private async end(id: number, consumer: TriggerConsumer): Promise<void> {
    this.consumers.delete(id);
    await consumer
      .stop()
      .catch((error: unknown) =>
        this.parts.logger.warn(
          { err: error, trigger: consumer.trigger.name },
          'what a trigger has seen is not counted',
        ),
      );
  }
}
