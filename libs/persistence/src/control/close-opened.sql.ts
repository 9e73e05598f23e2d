import type { Statement } from '../database/database.js';

/** A child that was handed out and is not any more is not open either. $1 fan-out. */
export const closeOpened: Statement = {
  name: 'close-opened',
  text: `
update fan_out_admission
set opened = opened - 1
where fan_out_id = $1`,
};
