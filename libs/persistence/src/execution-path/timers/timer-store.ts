import { inTransaction } from '../../database/transaction.js';
import type { Database, Tx } from '../../database/database.js';
import { findDueTimers } from './find-due-timers.sql.js';
import { fireRetention } from './fire-retention.sql.js';
import { fireTimers } from './fire-timers.sql.js';

/** Durable timers. */
export class TimerStore {
  /** @returns executions whose retention is over and that are told to go */
  async fireRetention(db: Tx, most: number): Promise<string[]> {
    return (await db.query<{ execution_id: string }>(fireRetention, [most])).rows.map((r) => r.execution_id);
  }

  /**
   * Fires what is due by the database's clock. The gates of the roots are passed, so that a pause that has been answered
   * holds every timer below it.
   * @returns how many were due, the recorded batch that settlement looks at, if any, and whether there are commands
   */
  async fire(database: Database, most: number): Promise<{ due: number; batch: number | null; commands: boolean }> {
    const { rows } = await database.any.query<{ id: number; root_id: string }>(findDueTimers, [most]);
    if (rows.length === 0) return { due: 0, batch: null, commands: false };
    const roots = rows.map((r) => r.root_id);
    const fired = await inTransaction(
      database.pool,
      (tx) => tx.query<{ batch: number | null; commands: boolean }>(fireTimers, [rows.map((r) => r.id)]),
      { gate: { roots, mode: 'shared' } },
    );
    return { due: rows.length, ...fired.rows[0]! };
  }
}
