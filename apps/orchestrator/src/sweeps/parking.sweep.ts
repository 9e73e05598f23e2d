import type { Plan } from '@app/domain';
import {
  inTransaction,
  noteOutcomes,
  type Database,
  type ParkingStore,
  type PressureStore,
  type SnapshotStore,
} from '@app/persistence';
import type { Sweep } from './sweep.js';

const restMs = 3_000;
const parkedForMs = 60_000;
const most = 100;

/**
 * Says of spawners that have used up their lead, and rest because nobody takes their children, that they are parked. Admission
 * wakes them when there is room; the time is when somebody looks again whatever happens.
 *
 * Locks in order: parents, control rows.
 */
export class ParkingSweep implements Sweep {
  readonly name = 'parking';
  readonly intervalMs = 1_000;

  constructor(
    private readonly database: Database,
    private readonly store: ParkingStore,
    private readonly pressure: PressureStore,
    private readonly snapshots: SnapshotStore,
    private readonly lead: number,
  ) {}

  /** Nothing is repaired by it, so it counts nothing. */
  async runOnce(): Promise<number> {
    const resting = await this.store.atLead(this.database.any, this.lead, restMs, most);
    if (resting.length === 0) return 0;
    await inTransaction(this.database.pool, async (tx) => {
      await this.snapshots.lock(tx, [...new Set(resting.map((f) => f.parentId))]);
      await this.store.park(
        tx,
        resting.map((f) => f.id),
        parkedForMs,
        this.lead,
      );
    });
    return 0;
  }

  /**
   * A fan-out that has not begun waits for the end of pressure, if there is any. Hooks of a top-level execution are told.
   * @param top the whole plan of the parent where that is top-level, else null
   * @returns whether it waits
   */
  async defer(fanOut: number, parentId: string, top: Plan | null): Promise<boolean> {
    const [pressure] = await this.pressure.inForce(this.database.any);
    if (!pressure) return false;
    return inTransaction(this.database.pool, async (tx) => {
      await this.snapshots.lock(tx, [parentId]);
      const { waits, isNews } = await this.pressure.defer(tx, fanOut, pressure, parkedForMs);
      if (isNews && top) await noteOutcomes(tx, [{ id: parentId, plan: top, outcome: 'DEFERRED' }]);
      return waits;
    });
  }

  /** A parked spawner goes on. */
  wake(fanOut: number, parentId: string): Promise<void> {
    return this.wakeAll([{ id: fanOut, parentId }]);
  }

  async wakeAll(fanOuts: readonly { readonly id: number; readonly parentId: string }[]): Promise<void> {
    await inTransaction(this.database.pool, async (tx) => {
      await this.snapshots.lock(tx, [...new Set(fanOuts.map((f) => f.parentId))]);
      await this.store.unpark(
        tx,
        fanOuts.map((f) => f.id),
      );
    });
  }
}
