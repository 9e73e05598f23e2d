import type { Statement } from '../database/database.js';

/**
 * Audit entries, newest first.
 * $1 bigint: before this id, null from the newest. $2 int: at most so many.
 */
export const listAuditEntries: Statement = {
  name: 'list-audit-entries',
  text: `
select id, at, actor, action, target, data
from audit_entry
where $1::bigint is null or id < $1
order by id desc
limit $2`,
};
