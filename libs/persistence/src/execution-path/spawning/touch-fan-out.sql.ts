import type { Statement } from '../../database/database.js';

/** The spawner rests until its lead is used up; touched so that the sweep leaves it alone. $1 fan-out. */
export const touchFanOut: Statement = {
  name: 'touch-fan-out',
  text: `
update fan_out
set moved_at = now()
where id = $1`,
};
