import { claimName } from '@app/contracts/messages/envelopes.js';
import { ABORT_TOPIC, RECORDED_QUEUE } from '@app/contracts/messages/queues.js';
import type { Bus } from '@app/messaging';
import type { Database, RepairStore } from '@app/persistence';
import type { Sweep } from './sweep.js';

const overdueGraceMs = 5_000;
const timedOut = JSON.stringify({
  class: 'TIMEOUT',
  code: 'TASK.TIMED_OUT',
  message: 'the attempt took longer than its time-out',
});

/** Attempts past their time-out + 5 s, whatever the executor does: fenced out, TIMEOUT, their slot cleared. */
export class OverdueSweep implements Sweep {
  readonly name = 'overdue';
  readonly intervalMs = 2_000;

  constructor(
    private readonly database: Database,
    private readonly store: RepairStore,
    private readonly bus: Bus,
  ) {}

  async runOnce(): Promise<number> {
    const { batch, ended, claims } = await this.store.fenceOutOverdue(this.database.any, overdueGraceMs, timedOut, 100);
    if (batch !== null) {
      await this.bus.publish(RECORDED_QUEUE, [{ batch, plain: false }]).catch(() => undefined);
      const names = claims.map((c) => claimName(c.executionId, c.node, c.fencingToken));
      for (let i = 0; i < names.length; i += 100)
        await this.bus.signal(ABORT_TOPIC, { claims: names.slice(i, i + 100) }).catch(() => undefined);
    }
    return ended;
  }
}
