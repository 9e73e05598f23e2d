import type { Statement } from '../database/database.js';

/**
 * Who a secret belongs to.
 * $1 bytea: sha-256 of the secret. Zero rows: nobody's.
 */
export const findApiKey: Statement = {
  name: 'find-api-key',
  text: `
select id, name, role
from api_key
where secret_hash = $1`,
};
