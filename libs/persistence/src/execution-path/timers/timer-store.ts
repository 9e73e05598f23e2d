import type { Tx } from '../../database/database.js';
import { fireRetention } from './timers.sql.js';

/** Durable timers. */
export class TimerStore {
  /** @returns executions whose retention is over and that are told to go */
  async fireRetention(db: Tx, most: number): Promise<string[]> {
    return (await db.query<{ execution_id: string }>(fireRetention, [most])).rows.map((r) => r.execution_id);
  }
}
