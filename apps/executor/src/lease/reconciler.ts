import { claimName } from '@app/contracts/messages/envelopes.js';
import { RECORDED_QUEUE } from '@app/contracts/messages/queues.js';
import type { Bus } from '@app/messaging';
import type { Database, HeldTask, LeaseStore, RecordStore } from '@app/persistence';
import type { Logger } from '@app/runtime';
import type { RunningService } from '../running/running.service.js';

/**
 * Compares what the database says this incarnation holds with what it performs. A task that is held and not performed came
 * from a claim whose answer was lost: it is handed back, uncharged. One that is performed and not held belongs to
 * somebody else now, or was cancelled: its call is aborted.
 *
 * A claim may be on its way while this looks, so a difference counts only when two looks in a row see it.
 */
export class Reconciler {
  private suspects = new Set<string>();
  private strangers = new Set<string>();
  private looking = false;

  constructor(
    private readonly database: Database,
    private readonly leases: LeaseStore,
    private readonly records: RecordStore,
    private readonly running: RunningService,
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  async runOnce(incarnation: number): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      await this.compare(incarnation);
    } catch (error) {
      this.logger.warn({ err: error }, 'what is held could not be compared');
    } finally {
      this.looking = false;
    }
  }

  private async compare(incarnation: number): Promise<void> {
    const before = new Map([...this.running.held].map(([name, attempt]) => [name, attempt.task.fencingToken]));
    const held = await this.leases.held(this.database.any, incarnation);
    const names = new Map(held.map((h) => [`${h.executionId}/${h.node}`, h]));
    const missing = held.filter(
      (h) => this.running.held.get(`${h.executionId}/${h.node}`)?.task.fencingToken !== h.fencingToken,
    );
    await this.handBack(
      incarnation,
      missing.filter((h) => this.suspects.has(token(h))),
    );
    this.suspects = new Set(missing.map(token));
    const foreign = [...before].filter(([name, fence]) => {
      const attempt = this.running.held.get(name);
      return (
        attempt && !attempt.ended && attempt.task.fencingToken === fence && names.get(name)?.fencingToken !== fence
      );
    });
    const confirmed = new Set(
      foreign.map(([name, fence]) => `${name}#${fence}`).filter((key) => this.strangers.has(key)),
    );
    this.strangers = new Set(foreign.map(([name, fence]) => `${name}#${fence}`));
    if (confirmed.size > 0)
      this.running.abortWhere(
        (t) => confirmed.has(claimName(t.executionId, t.node.index, t.fencingToken)),
        'cancelled',
      );
  }

  private async handBack(incarnation: number, tasks: readonly HeldTask[]): Promise<void> {
    if (tasks.length === 0) return;
    const batch = await this.records.handBack(this.database.any, incarnation, tasks);
    this.logger.warn({ tasks: tasks.length }, 'tasks were held and not performed; handed back');
    if (batch !== null) await this.bus.publish(RECORDED_QUEUE, [{ batch, plain: false }]).catch(() => undefined);
  }
}

function token(h: HeldTask): string {
  return claimName(h.executionId, h.node, h.fencingToken);
}
