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
