import type { Tx } from '../database/database.js';
import { insertAuditEntry } from './insert-audit-entry.sql.js';
import { listAuditEntries } from './list-audit-entries.sql.js';

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly data: string | null;
}

/** Who changed what, and when. */
export class AuditStore {
  async add(tx: Tx, args: { actor: string; action: string; target: string; data: string | null }): Promise<void> {
    await tx.query(insertAuditEntry, [args.actor, args.action, args.target, args.data]);
  }

  async page(tx: Tx, args: { before: number | null; limit: number }): Promise<AuditEntry[]> {
    return (await tx.query<AuditEntry>(listAuditEntries, [args.before, args.limit])).rows;
  }
}
