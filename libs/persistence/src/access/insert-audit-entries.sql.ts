import type { Statement } from '../database/database.js';

/**
 * Who changed what, in the order given.
 * $1 text[] actors, $2 text[] actions, $3 text[] targets, $4 text[] JSON texts with further facts or null, in step.
 */
export const insertAuditEntries: Statement = {
  name: 'insert-audit-entries',
  text: `
insert into audit_entry (actor, action, target, data)
select actor, action, target, data
from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as a(actor, action, target, data, place)
order by place`,
};
