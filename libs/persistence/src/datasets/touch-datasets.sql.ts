import type { Statement } from '../database/database.js';

/**
 * Says that uploads are still under way.
 * $1 uuid[]: datasets.
 */
export const touchDatasets: Statement = {
  name: 'touch-datasets',
  text: `
update dataset
set touched_at = now()
where id = any($1)
  and not complete`,
};
