import type { Statement } from '../database/database.js';

/** $1 execution. Returns the state that a pause found. */
export const removeMark: Statement = {
  name: 'remove-mark',
  text: `
delete from mark
where execution_id = $1
  and fan_out_id = 0
returning from_state`,
};
