import type { Statement } from '../database/database.js';

/** The oldest commands that nobody works on, locked. $1 most. */
export const lockCommands: Statement = {
  name: 'lock-commands',
  text: `
select id, kind, execution_id, root_id, fan_out_id, round, filter, next_fan_out, position, matched, moved, created_at
from control
where id = any ($1::bigint[])
for update skip locked`,
};
