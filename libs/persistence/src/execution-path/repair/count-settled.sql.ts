import type { Statement } from '../../database/database.js';

/** $1 fan-out. */
export const countSettled: Statement = {
  name: 'count-settled',
  text: `
select succeeded + failed + cancelled as n
from fan_out_tally
where fan_out_id = $1`,
};
