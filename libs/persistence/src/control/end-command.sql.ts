import type { Statement } from '../database/database.js';

export const endCommand: Statement = {
  name: 'end-command',
  text: `
delete from control
where id = $1`,
};
