import type { Tx } from '../../database/database.js';
import { addFacts } from '../../control/add-facts.sql.js';
import { findAtLead } from './find-at-lead.sql.js';
import { parkFanOuts } from './park-fan-outs.sql.js';
import { unparkFanOuts } from './unpark-fan-outs.sql.js';

export interface AtLead {
  readonly id: number;
  readonly parentId: string;
}

/** Spawners that wait because too much of what they have spawned is not admitted. */
export class ParkingStore {
  async atLead(db: Tx, lead: number, restMs: number, most: number): Promise<AtLead[]> {
    const { rows } = await db.query<{ id: number; parent_id: string }>(findAtLead, [lead, restMs, most]);
    return rows.map((r) => ({ id: r.id, parentId: r.parent_id }));
  }

  /** Parks them, with an event for each that was not parked before; their parents are locked. @returns how many */
  async park(tx: Tx, ids: readonly number[], forMs: number, lead: number): Promise<number> {
    const { rows } = await tx.query(parkFanOuts, [ids, forMs, lead]);
    const parked = rows.filter((r) => r.parked as boolean);
    await this.tell(tx, 'fanout_deferred', parked);
    return parked.length;
  }

  /** Their parents are locked. */
  async unpark(tx: Tx, ids: readonly number[]): Promise<void> {
    await this.tell(tx, 'fanout_resumed', (await tx.query(unparkFanOuts, [ids])).rows);
  }

  private async tell(tx: Tx, kind: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    if (rows.length === 0) return;
    await tx.query(addFacts, [
      rows.map((r) => r.parent_id),
      rows.map(() => kind),
      rows.map((r) => r.node),
      rows.map((r) => JSON.stringify({ reason: r.reason ?? 'SPAWN_LEAD', spawned: r.spawned })),
    ]);
  }
}
