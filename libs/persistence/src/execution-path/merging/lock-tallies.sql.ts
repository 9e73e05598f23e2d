import type { Statement } from '../../database/database.js';

export const lockTallies: Statement = {
  name: 'lock-tallies',
  text: `
select fan_out_id, succeeded, failed, cancelled
from fan_out_tally
where fan_out_id = any ($1::bigint[])
order by fan_out_id
for update`,
};
