import type { Statement } from '../database/database.js';

/** $1 name. Its queue stays, and what it started goes on. Zero rows: there is none. */
export const deleteTrigger: Statement = {
  name: 'delete-trigger',
  text: `
delete from trigger
where name = $1`,
};
