import type { Statement } from '../database/database.js';

/**
 * Ends an upload: from here on the dataset exists.
 * $1 uuid, $2 columns as JSON text or null, $3 int: items, $4 bigint: bytes, $5 sha-256.
 * Guard: it is not complete yet. Zero rows: it was swept away.
 */
export const completeDataset: Statement = {
  name: 'complete-dataset',
  text: `
update dataset
set complete = true,
  columns = $2,
  item_count = $3,
  bytes = $4,
  sha256 = $5,
  touched_at = now()
where id = $1
  and not complete
returning created_at as "createdAt"`,
};
