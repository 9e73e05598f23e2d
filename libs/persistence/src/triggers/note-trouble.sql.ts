import type { Statement } from '../database/database.js';

/** What keeps a trigger from going on. $1 trigger, $2 JSON text, null when that is over. */
export const noteTrouble: Statement = {
  name: 'note-trouble',
  text: `
update trigger
set last_error = $2
where id = $1`,
};
