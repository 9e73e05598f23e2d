import type { Statement } from '../database/database.js';

/**
 * Sets a message aside that never becomes an execution. $1 trigger, $2 message id or null, $3 reason (JSON text), $4 beginning of the
 * body, $5 bytes of the whole, $6 how many of a trigger are kept: the oldest go; $7 1, or 0 where it is counted as received already.
 * Guard: the trigger is there. Zero rows: it is not.
 */
export const keepRefusedMessage: Statement = {
  name: 'keep-refused-message',
  text: `
with oldest as (
  select id
  from refused_message
  where trigger_id = $1
  order by id desc
  offset $6 - 1
), gone as (
  delete from refused_message r
  using oldest
  where r.id = oldest.id
), counted as (
  insert into message_count (trigger_id, received, started, duplicates, refused)
  select id, $7, 0, 0, 1
  from trigger
  where id = $1
)
insert into refused_message (trigger_id, message_id, reason, body, bytes)
select id, $2, $3, $4, $5
from trigger
where id = $1
returning id`,
};
