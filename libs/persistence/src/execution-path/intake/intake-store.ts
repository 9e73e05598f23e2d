import type { Tx } from '../../database/database.js';
import type { Touched } from '../settlement/snapshot-store.js';
import { findWaitingIntake } from './find-waiting-intake.sql.js';
import { rootsOfExecutions } from './roots-of-executions.sql.js';
import { takeIntake } from './take-intake.sql.js';

/** Executions that wait to be laid out. */
export class IntakeStore {
  async rootsOf(db: Tx, ids: readonly string[]): Promise<string[]> {
    return (await db.query<{ root_id: string }>(rootsOfExecutions, [ids])).rows.map((r) => r.root_id);
  }

  /** Takes those that may be laid out now, or go on, in id order. */
  async take(tx: Tx, ids: readonly string[]): Promise<Touched[]> {
    const { rows } = await tx.query<{ execution_id: string; nodes: number[] | null }>(takeIntake, [ids]);
    return rows.map((r) => ({ id: r.execution_id, nodes: r.nodes }));
  }

  async waiting(db: Tx, ageMs: number, most: number): Promise<string[]> {
    return (await db.query<{ execution_id: string }>(findWaitingIntake, [ageMs, most])).rows.map((r) => r.execution_id);
  }
}
