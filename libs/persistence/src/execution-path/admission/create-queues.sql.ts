import type { Statement } from '../../database/database.js';

export const createQueues: Statement = {
  name: 'create-queues',
  text: `
insert into queue (name)
select unnest($1::text[])
on conflict do nothing`,
};
