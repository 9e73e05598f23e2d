import type { Statement } from '../../database/database.js';

/** How many more children of fan-outs with a limit may be open: started and not settled. $1 fan-outs. */
export const openRooms: Statement = {
  name: 'open-rooms',
  text: `
select f.id, greatest(0, f.max_concurrency - (a.opened - t.closed)) as room
from fan_out f
join fan_out_admission a on a.fan_out_id = f.id
join fan_out_tally t on t.fan_out_id = f.id
where f.id = any ($1::bigint[])
  and f.max_concurrency is not null`,
};
