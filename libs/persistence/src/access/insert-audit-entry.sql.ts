import type { Statement } from '../database/database.js';

/**
 * Who changed what.
 * $1 actor, $2 action, $3 target, $4 JSON text with further facts or null.
 */
export const insertAuditEntry: Statement = {
  name: 'insert-audit-entry',
  text: `
insert into audit_entry (actor, action, target, data)
values ($1, $2, $3, $4)`,
};
