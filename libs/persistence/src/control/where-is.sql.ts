import type { Statement } from '../database/database.js';

/** Where an execution stands, to take its gate. $1 execution. */
export const whereIs: Statement = {
  name: 'where-is',
  text: `
select e.id, e.state, e.fan_out_id, coalesce(f.root_id, e.id) as root_id, f.parent_id
from execution e
left join fan_out f on f.id = e.fan_out_id
where e.id = $1`,
};
