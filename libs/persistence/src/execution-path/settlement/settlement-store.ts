import type { Tx } from '../../database/database.js';
import type { Touched } from './snapshot-store.js';
import { settlePlain } from './settle-plain.sql.js';
import { findUnsettled } from './find-unsettled.sql.js';
import { recordedIn } from './recorded-in.sql.js';
import { refusePayload } from './refuse-payload.sql.js';
import { setAsideRecorded } from './set-aside-recorded.sql.js';
import { takeRecorded } from './take-recorded.sql.js';

/** Recorded batches: what waits to be settled. */
export class SettlementStore {
  async takeRecorded(tx: Tx, batches: readonly number[]): Promise<Touched[]> {
    const { rows } = await tx.query<{ id: string; nodes: number[] }>(takeRecorded, [batches]);
    return rows.map(({ id, nodes }) => ({ id, nodes: nodes.includes(-1) ? null : nodes }));
  }

  /**
   * Settles plain successes. `due`: fan-outs that may have a verdict now; `few`: the settled ones, where they are few
   * enough to be told; `rest`: executions that are not what a plain success expects.
   */
  async settlePlain(tx: Tx, batches: readonly number[]): Promise<{ due: number[]; few: string[]; rest: string[] }> {
    const r = (await tx.query(settlePlain, [batches])).rows[0]!;
    return {
      due: (r.due as number[] | null) ?? [],
      few: (r.few as string[] | null) ?? [],
      rest: (r.rest as string[] | null) ?? [],
    };
  }

  async unsettled(db: Tx, ageMs: number, most: number): Promise<number[]> {
    return (await db.query<{ id: number }>(findUnsettled, [ageMs, most])).rows.map((r) => r.id);
  }

  async recordedIn(db: Tx, batches: readonly number[]): Promise<string[]> {
    return (await db.query<{ id: string }>(recordedIn, [batches])).rows.map((r) => r.id);
  }

  /** The batches are done with, but for `failing`, which are looked at again after that time. */
  async setAside(db: Tx, batches: readonly number[], failing: readonly string[], forMs: number): Promise<void> {
    await db.query(setAsideRecorded, [batches, failing, forMs]);
  }

  async refusePayload(db: Tx, id: string): Promise<void> {
    await db.query(refusePayload, [
      id,
      JSON.stringify({
        class: 'PERMANENT',
        code: 'PAYLOAD.REFUSED',
        message: 'the database refused the data of this attempt',
      }),
    ]);
  }
}
