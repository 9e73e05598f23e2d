import type { Tx } from '../database/database.js';
import { countOpenExecutions } from './count-open-executions.sql.js';
import { deleteQuota } from './delete-quota.sql.js';
import { holdQuotas } from './hold-quotas.sql.js';
import { listQuotas } from './list-quotas.sql.js';
import { noteAllSucceeded } from './note-all-succeeded.sql.js';
import { putQuota } from './put-quota.sql.js';
import { quotasOf } from './quotas-of.sql.js';

export interface Quota {
  /** `all`, or a pipeline's name. */
  readonly scope: string;
  readonly maxOpenExecutions: number | null;
  readonly maxChildrenPerFanOut: number | null;
}

const mostNoted = 2_000;

/** How many executions may be open. */
export class QuotaStore {
  async put(tx: Tx, quota: Quota): Promise<void> {
    await tx.query(putQuota, [quota.scope, quota.maxOpenExecutions, quota.maxChildrenPerFanOut]);
  }

  async page(tx: Tx, args: { after: string | null; limit: number }): Promise<Quota[]> {
    return (await tx.query<Quota>(listQuotas, [args.after, args.limit, null])).rows;
  }

  async find(tx: Tx, args: { scope: string }): Promise<Quota | null> {
    return (await tx.query<Quota>(listQuotas, [null, 1, args.scope])).rows[0] ?? null;
  }

  /** Quotas of the scopes, as they are now. */
  async of(db: Tx, args: { scopes: readonly string[] }): Promise<Quota[]> {
    return (await db.query<Quota>(quotasOf, [args.scopes])).rows;
  }

  /** Quotas of open executions among the scopes, held to the end of the transaction. */
  async hold(tx: Tx, args: { scopes: readonly string[] }): Promise<{ scope: string; maxOpenExecutions: number }[]> {
    return (await tx.query<{ scope: string; maxOpenExecutions: number }>(holdQuotas, [args.scopes])).rows;
  }

  /**
   * Leaves out of later counts what can never be open again. @returns whether there may be more of it
   */
  async forgetSettled(db: Tx): Promise<boolean> {
    return (await db.query(noteAllSucceeded, [mostNoted])).rowCount === mostNoted;
  }

  /** Children that a fan-out within its quota is yet to spawn are among them. */
  async openExecutions(tx: Tx, args: { pipeline: string | null }): Promise<number> {
    return (await tx.query<{ open: number }>(countOpenExecutions, [args.pipeline])).rows[0]!.open;
  }

  async remove(tx: Tx, args: { scope: string }): Promise<boolean> {
    return (await tx.query(deleteQuota, [args.scope])).rowCount === 1;
  }
}
