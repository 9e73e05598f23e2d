import type { Statement } from '../../database/database.js';

/** Root executions of those that wait to be laid out. $1 executions. */
export const rootsOfExecutions: Statement = {
  name: 'roots-of-executions',
  text: `
select distinct coalesce(f.root_id, e.id) as root_id
from intake i
join execution e on e.id = i.execution_id
left join fan_out f on f.id = e.fan_out_id
where i.execution_id = any ($1::uuid[])`,
};
