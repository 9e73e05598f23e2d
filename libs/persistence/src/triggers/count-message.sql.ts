import type { Statement } from '../database/database.js';

/**
 * Counts a message of a trigger, in the transaction that makes it what it is. $1 trigger, $2 received, $3 started, $4 duplicates,
 * $5 refused: 0 or 1.
 * Guard: the trigger is there. Zero rows: it is not. A row of its own, so that messages that come at the same time do not wait for each other.
 */
export const countMessage: Statement = {
  name: 'count-message',
  text: `
insert into message_count (trigger_id, received, started, duplicates, refused)
select id, $2, $3, $4, $5
from trigger
where id = $1
for key share`,
};
