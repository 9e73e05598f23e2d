import type { Statement } from '../database/database.js';

/** An execution that has no tasks yet is to be laid out, once nothing is marked above it. $1 execution. */
export const putIntake: Statement = {
  name: 'put-intake',
  text: `
insert into intake (execution_id)
values ($1)
on conflict do nothing`,
};
