import type { Statement } from '../database/database.js';

/**
 * Keys in the order of their ids, without secrets.
 * $1 uuid: after this id, null from the start. $2 int: at most so many.
 */
export const listApiKeys: Statement = {
  name: 'list-api-keys',
  text: `
select id, name, role, created_at as "createdAt"
from api_key
where $1::uuid is null or id > $1
order by id
limit $2`,
};
