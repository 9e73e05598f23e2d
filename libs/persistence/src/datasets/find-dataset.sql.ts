import type { Statement } from '../database/database.js';

/**
 * One dataset.
 * $1 uuid. Guard: complete, and not one of the engine's own. Zero rows: there is none.
 */
export const findDataset: Statement = {
  name: 'find-dataset',
  text: `
select id, name, format, columns, separator, item_count as "itemCount", bytes, sha256, created_at as "createdAt"
from dataset
where id = $1
  and complete
  and not internal`,
};
