import type { Statement } from '../database/database.js';

/** The round a fan-out is in, its control row locked. $1 fan-out. */
export const roundOfFanOut: Statement = {
  name: 'round-of-fan-out',
  text: `
select round
from fan_out
where id = $1
for update`,
};
