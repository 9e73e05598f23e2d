import type { Statement } from '../../database/database.js';

/** Which executions a pause holds, of a few. $1 executions. */
export const pausedAmong: Statement = {
  name: 'paused-among',
  text: `
select x.id
from unnest($1::uuid[]) x (id)
where marked_lineage(x.id) = 'pause'`,
};
