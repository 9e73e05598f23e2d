import type { Statement } from '../database/database.js';

/** Whether a root is being deleted. $1 root. */
export const beingDeleted: Statement = {
  name: 'being-deleted',
  text: `
select exists (select from control where root_id = $1 and kind = 'delete') as deleted`,
};
