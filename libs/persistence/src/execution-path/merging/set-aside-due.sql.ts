import type { Statement } from '../../database/database.js';

/** A fan-out that cannot be decided for a defect stands back behind the others. $1 fan-out, $2 milliseconds. */
export const setAsideDue: Statement = {
  name: 'set-aside-due',
  text: `
update fan_out_due
set due_at = now() + $2 * interval '1 millisecond'
where fan_out_id = $1`,
};
