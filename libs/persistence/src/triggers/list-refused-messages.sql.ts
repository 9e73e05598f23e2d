import type { Statement } from '../database/database.js';

/** Messages of a trigger that were set aside, newest first. $1 trigger, $2 before this one or null, $3 most. */
export const listRefusedMessages: Statement = {
  name: 'list-refused-messages',
  text: `
select id, message_id as "messageId", reason, body, bytes, at
from refused_message
where trigger_id = $1
  and ($2::bigint is null or id < $2)
order by id desc
limit $3`,
};
