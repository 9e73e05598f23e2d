import type { Tx } from '../database/database.js';
import { insertAuditEntries } from './insert-audit-entries.sql.js';
import { listAuditEntries } from './list-audit-entries.sql.js';

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly data: string | null;
}

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at'>;

/** Who changed what, and when. */
export class AuditStore {
  async add(tx: Tx, args: { entries: readonly NewAuditEntry[] }): Promise<void> {
    const { entries } = args;
    await tx.query(insertAuditEntries, [
      entries.map((entry) => entry.actor),
      entries.map((entry) => entry.action),
      entries.map((entry) => entry.target),
      entries.map((entry) => entry.data),
    ]);
  }

  async page(tx: Tx, args: { before: number | null; limit: number }): Promise<AuditEntry[]> {
    return (await tx.query<AuditEntry>(listAuditEntries, [args.before, args.limit])).rows;
  }
}
