import type { Statement } from '../database/database.js';

/** $1 queue, $2 where counting stops. */
export const countMessages: Statement = {
  name: 'count-messages',
  text: `
select count(*)::integer as n
from (select from bus_message where queue = $1 limit $2) x`,
};
