import type { Statement } from '../database/database.js';

/** Counts of one fan-out move. $1 fan-out, $2 failed, $3 cancelled, $4 closed. */
export const shiftTally: Statement = {
  name: 'shift-tally',
  text: `
with moved as (
  update fan_out_tally
  set failed = failed + $2,
      cancelled = cancelled + $3,
      closed = closed + $4
  where fan_out_id = $1
)
insert into fan_out_due (fan_out_id)
values ($1)
on conflict do nothing`,
};
