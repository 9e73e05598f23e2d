import type { Statement } from '../database/database.js';

export const listCommands: Statement = {
  name: 'list-commands',
  text: `
select id, root_id
from control
order by id
limit $1`,
};
