import type { Statement } from '../../database/database.js';

/**
 * Fan-outs that are due, with their parents, those that have waited longest first: one that is marked again and again must not
 * hide the others. $1 most.
 */
export const findDue: Statement = {
  name: 'find-due',
  text: `
select d.fan_out_id as id
from fan_out_due d
join fan_out f on f.id = d.fan_out_id
where d.due_at <= now()
order by d.due_at
limit $1`,
};
