import { taskQueue } from '@app/contracts/messages/queues.js';
import type { Bus } from '@app/messaging';
import type { Database, RecordStore, RepairStore } from '@app/persistence';
import type { Sweep } from './sweep.js';

/**
 * Ready for 3 s with nobody working: the message is lost, and is sent again, but only where an executor of that queue
 * reports free slots and the queue on the bus is empty. The same for tasks that waited for a destination with room again.
 */
export class StaleReadySweep implements Sweep {
  readonly name = 'stale-ready';
  readonly intervalMs = 500;

  constructor(
    private readonly database: Database,
    private readonly store: RepairStore,
    private readonly records: RecordStore,
    private readonly bus: Bus,
  ) {}

  async runOnce(): Promise<number> {
    let sent = await this.wakeWaiting();
    for (const { queue, free } of await this.store.staleQueues(this.database.any)) {
      if (!free || ((await this.bus.depth(taskQueue(queue))) ?? 0) > 0) continue;
      const handouts = await this.store.retryHandouts(this.database.any, queue, 200);
      if (handouts.length === 0) continue;
      await this.bus.publish(taskQueue(queue), handouts);
      sent += handouts.length;
    }
    return sent;
  }

  /** Not a repair: a limit was raised, a throttle is over. */
  private async wakeWaiting(): Promise<number> {
    for (const { id, room } of await this.store.freeDestinations(this.database.any)) {
      const handouts = await this.records.takeWaiting(this.database.any, [id], Math.max(1, room), null);
      for (const handout of handouts) await this.bus.publish(taskQueue(handout.queue), [handout]);
    }
    return 0;
  }
}
