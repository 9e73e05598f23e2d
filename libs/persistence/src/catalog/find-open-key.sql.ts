import type { Statement } from '../database/database.js';

/**
 * The open execution that holds a business key.
 * $1 text: pipeline, $2 bytea: sha-256 of the key. Zero rows: it has settled meanwhile.
 */
export const findOpenKey: Statement = {
  name: 'find-open-key',
  text: `
select execution_id as "executionId"
from open_key
where pipeline = $1
  and key_hash = $2`,
};
