import type { Statement } from '../../database/database.js';

/** Everything was admitted and nothing more will come. $1 fan-outs. */
export const finishAdmission: Statement = {
  name: 'finish-admission',
  text: `
update fan_out_admission a
set done = true
from fan_out f
where a.fan_out_id = any ($1::bigint[])
  and f.id = a.fan_out_id
  and f.sealed
  and a.cursor = f.spawned`,
};
