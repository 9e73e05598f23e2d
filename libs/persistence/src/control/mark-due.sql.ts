import type { Statement } from '../database/database.js';

/** A fan-out's verdict is to be looked at. $1 fan-out. */
export const markDue: Statement = {
  name: 'mark-due',
  text: `
insert into fan_out_due (fan_out_id)
values ($1)
on conflict do nothing`,
};
