import type { Statement } from '../database/database.js';

/** $1 execution. Returns the state that a pause found. */
export const removeMark: Statement = {
  name: 'remove-mark',
  text: `
delete from mark
where execution_id = $1
returning from_state`,
};
