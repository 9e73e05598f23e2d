import type { Statement } from '../../database/database.js';

/**
 * Locks the marks of fan-outs that are due, but for those that somebody else is looking at. Whoever marks a fan-out that is
 * marked waits for nobody. $1 fan-outs. Fan-outs not returned: not due any more, or somebody else's.
 */
export const lockMarks: Statement = {
  name: 'lock-marks',
  text: `
select d.fan_out_id as id, f.parent_id
from fan_out_due d
join fan_out f on f.id = d.fan_out_id
where d.fan_out_id = any ($1::bigint[])
order by d.fan_out_id
for update of d skip locked`,
};
