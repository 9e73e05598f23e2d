import type { Statement } from '../database/database.js';

/**
 * Ends a key.
 * $1 uuid: its id. Zero rows: there is none.
 */
export const deleteApiKey: Statement = {
  name: 'delete-api-key',
  text: `
delete from api_key
where id = $1
returning id`,
};
