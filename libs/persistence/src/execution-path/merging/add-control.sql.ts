import type { Statement } from '../../database/database.js';

/** Commands that move many rows later. */
export const addControl: Statement = {
  name: 'add-control',
  text: `
insert into control (kind, execution_id, root_id, fan_out_id, round, filter)
values ($1::control_kind, $2, $3, $4, $5, $6)
returning id`,
};
