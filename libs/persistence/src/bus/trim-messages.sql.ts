import type { Statement } from '../database/database.js';

/** Keeps the newest messages. $1 queue, $2 how many. */
export const trimMessages: Statement = {
  name: 'trim-messages',
  text: `
delete from bus_message
where queue = $1
  and id <= (select id from bus_message where queue = $1 order by id desc offset $2 limit 1)`,
};
