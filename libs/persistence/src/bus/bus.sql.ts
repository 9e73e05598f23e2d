import type { Statement } from '../database/database.js';

/** $1 queue, $2 bodies, $3 channel of the doorbell. */
export const publishMessages: Statement = {
  name: 'publish-messages',
  text: `
with sent as (
  insert into bus_message (queue, body)
  select $1, unnest($2::text[])
)
select pg_notify($3, $1)`,
};

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

/** $1 queue, $2 where counting stops. */
export const countMessages: Statement = {
  name: 'count-messages',
  text: `
select count(*)::integer as n
from (select from bus_message where queue = $1 limit $2) x`,
};

/** Keeps the newest messages. $1 queue, $2 how many. */
export const trimMessages: Statement = {
  name: 'trim-messages',
  text: `
delete from bus_message
where queue = $1
  and id <= (select id from bus_message where queue = $1 order by id desc offset $2 limit 1)`,
};

/** $1 channel, $2 payload. */
export const notifyChannel: Statement = {
  name: 'notify-channel',
  text: 'select pg_notify($1, $2)',
};
