import { inTransaction } from '../../database/transaction.js';
import type { Database, Tx } from '../../database/database.js';
import type { ClaimName } from '../recording/record-store.js';
import { cutLateTasks } from './cut-late-tasks.sql.js';
import { findDueTimers } from './find-due-timers.sql.js';
import { fireRetention } from './fire-retention.sql.js';
import { fireTimers } from './fire-timers.sql.js';

const late = JSON.stringify({
  class: 'TIMEOUT',
  code: 'EDGE.TIMED_OUT',
  message: 'the attempt took longer than the time of an edge that leads to it',
});

export interface Fired {
  /** How many were due. */
  readonly due: number;
  /** Recorded batches that settlement looks at. */
  readonly batches: readonly number[];
  /** Whether there are commands to be worked off. */
  readonly commands: boolean;
  /** Claims that are over, whose calls are to end. */
  readonly claims: readonly ClaimName[];
}

/** Durable timers. */
export class TimerStore {
  /** @returns executions whose retention is over and that are told to go */
  async fireRetention(db: Tx, most: number): Promise<string[]> {
    return (await db.query<{ execution_id: string }>(fireRetention, [most])).rows.map((r) => r.execution_id);
  }

  /**
   * Fires what is due by the database's clock. The gates of the roots are passed, so that a pause that has been answered
   * holds every timer below it.
   */
  async fire(database: Database, most: number): Promise<Fired> {
    const { rows } = await database.any.query<{ id: number; root_id: string }>(findDueTimers, [most]);
    if (rows.length === 0) return { due: 0, batches: [], commands: false, claims: [] };
    const roots = rows.map((r) => r.root_id);
    const ids = rows.map((r) => r.id);
    return inTransaction(
      database.pool,
      async (tx) => {
        const fired = await tx.query<{ batch: number | null; commands: boolean }>(fireTimers, [ids]);
        const cut = await tx.query<{ batch_id: number | null; claims: ClaimName[] | null }>(cutLateTasks, [ids, late]);
        const { batch, commands } = fired.rows[0]!;
        const { batch_id, claims } = cut.rows[0]!;
        const batches = [batch, batch_id].filter((b) => b !== null);
        return { due: rows.length, batches, commands, claims: claims ?? [] };
      },
      { gate: { roots, mode: 'shared' } },
    );
  }
}
