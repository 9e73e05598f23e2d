import type { Statement } from '../database/database.js';

/** $1 execution. Returns the state that a pause found, and why it was paused where no operator did it. */
export const removeMark: Statement = {
  name: 'remove-mark',
  text: `
delete from mark
where execution_id = $1
  and fan_out_id = 0
returning from_state, reason`,
};
