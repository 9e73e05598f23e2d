import type { Statement } from '../database/database.js';

/**
 * A new key.
 * $1 id, $2 name, $3 role, $4 sha-256 of the secret. Always one row.
 */
export const insertApiKey: Statement = {
  name: 'insert-api-key',
  text: `
insert into api_key (id, name, role, secret_hash)
values ($1, $2, $3, $4)
returning id, name, role, created_at as "createdAt"`,
};
