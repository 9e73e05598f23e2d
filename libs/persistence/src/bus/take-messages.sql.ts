import type { Statement } from '../database/database.js';

/** Takes messages, oldest first, skipping what others hold. $1 queue, $2 most. */
export const takeMessages: Statement = {
  name: 'take-messages',
  text: `
delete from bus_message
where id in (
  select id
  from bus_message
  where queue = $1
  order by id
  limit $2
  for update skip locked
)
returning id, body`,
};
