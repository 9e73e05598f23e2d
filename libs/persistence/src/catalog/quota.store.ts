import type { Tx } from '../database/database.js';
import { deleteQuota } from './delete-quota.sql.js';
import { listQuotas } from './list-quotas.sql.js';
import { putQuota } from './put-quota.sql.js';

export interface Quota {
  /** `all`, or a pipeline's name. */
  readonly scope: string;
  readonly maxOpenExecutions: number | null;
  readonly maxChildrenPerFanOut: number | null;
}

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

  async remove(tx: Tx, args: { scope: string }): Promise<boolean> {
    return (await tx.query(deleteQuota, [args.scope])).rowCount === 1;
  }
}
