import type { Statement } from '../database/database.js';

/**
 * Lifts a quota.
 * $1 scope. Zero rows: there is none.
 */
export const deleteQuota: Statement = {
  name: 'delete-quota',
  text: `
delete from quota
where scope = $1
returning scope`,
};
