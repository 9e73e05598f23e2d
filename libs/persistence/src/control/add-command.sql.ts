import type { Statement } from '../database/database.js';

/** $1 kind, $2 execution, $3 root, $4 fan-out, $5 round, $6 filter, $7 matched. */
export const addCommand: Statement = {
  name: 'add-command',
  text: `
insert into control (kind, execution_id, root_id, fan_out_id, round, filter, matched)
values ($1::control_kind, $2, $3, $4, $5, $6, $7)
returning id`,
};
