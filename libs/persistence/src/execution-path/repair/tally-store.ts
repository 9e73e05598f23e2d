import { countSettled } from './count-settled.sql.js';
import { rehandOrphans } from './rehand-orphans.sql.js';
import { resettleOrphans } from './resettle-orphans.sql.js';
import type { Tx } from '../../database/database.js';
import { lockTallies } from '../merging/lock-tallies.sql.js';
import { findDrift } from './find-drift.sql.js';
import { healTally } from './heal-tally.sql.js';
import { markUnjudged } from './mark-unjudged.sql.js';
import { openFanOuts } from './open-fan-outs.sql.js';

/** Tallies against the children they count. */
export class TallyStore {
  async open(db: Tx, after: number, most: number): Promise<number[]> {
    return (await db.query<{ id: number }>(openFanOuts, [after, most])).rows.map((r) => r.id);
  }

  /** Marks due whichever of these has all that a verdict or the next stage of a rollout needs. */
  async askForVerdicts(db: Tx, fanOuts: readonly number[]): Promise<void> {
    await db.query(markUnjudged, [fanOuts]);
  }

  /** Null: they agree. */
  async drift(db: Tx, fanOut: number): Promise<Record<string, number> | null> {
    return (await db.query<Record<string, number>>(findDrift, [fanOut])).rows[0] ?? null;
  }

  /** What settled of a fan-out so far, to see whether anything moves. */
  async settled(db: Tx, fanOut: number): Promise<number> {
    return (await db.query<{ n: number }>(countSettled, [fanOut])).rows[0]?.n ?? 0;
  }

  /** Tasks that no narrow table names any more. @returns how many were brought back */
  async bringBackOrphans(db: Tx, fanOut: number, lost: string, most: number): Promise<number> {
    const handed = await db.query<{ n: number }>(rehandOrphans, [fanOut, most]);
    const settled = await db.query<{ n: number }>(resettleOrphans, [fanOut, lost, most]);
    return handed.rows[0]!.n + settled.rows[0]!.n;
  }

  /** @returns whether there was something to heal behind the lock */
  async heal(tx: Tx, fanOut: number): Promise<boolean> {
    await tx.query(lockTallies, [[fanOut]]);
    if (!(await this.drift(tx, fanOut))) return false;
    await tx.query(healTally, [fanOut]);
    return true;
  }
}
