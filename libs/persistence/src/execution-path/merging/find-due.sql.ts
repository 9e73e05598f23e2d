import type { Statement } from '../../database/database.js';

/** Fan-outs that are due, with their parents. $1 most. */
export const findDue: Statement = {
  name: 'find-due',
  text: `
select d.fan_out_id as id, f.parent_id
from fan_out_due d
join fan_out f on f.id = d.fan_out_id
order by d.fan_out_id
limit $1`,
};
