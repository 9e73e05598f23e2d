import type { Tx } from '../../database/database.js';
import { dropRecorded, findUnsettled, recordedIn, refusePayload, takeRecorded } from './load-executions.sql.js';

/** Recorded batches: what waits to be settled. */
export class SettlementStore {
  async takeRecorded(tx: Tx, batches: readonly number[]): Promise<string[]> {
    return (await tx.query<{ id: string }>(takeRecorded, [batches])).rows.map((r) => r.id);
  }

  async unsettled(db: Tx, ageMs: number, most: number): Promise<number[]> {
    return (await db.query<{ id: number }>(findUnsettled, [ageMs, most])).rows.map((r) => r.id);
  }

  async recordedIn(db: Tx, batches: readonly number[]): Promise<string[]> {
    return (await db.query<{ id: string }>(recordedIn, [batches])).rows.map((r) => r.id);
  }

  async dropRecorded(db: Tx, batches: readonly number[]): Promise<void> {
    await db.query(dropRecorded, [batches]);
  }

  async refusePayload(db: Tx, id: string): Promise<void> {
    await db.query(refusePayload, [
      id,
      JSON.stringify({ class: 'PERMANENT', code: 'PAYLOAD.REFUSED', message: 'the database refused the data of this attempt' }),
    ]);
  }
}
