import type { Statement } from '../database/database.js';

/** Executions that have no tasks yet are to be laid out, once nothing is marked above them. $1 executions. */
export const putIntake: Statement = {
  name: 'put-intake',
  text: `
insert into intake (execution_id)
select x.id
from unnest($1::uuid[]) x (id)
on conflict do nothing`,
};
