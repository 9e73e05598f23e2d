import type { Statement } from '../database/database.js';

/** A fan-out and those below its children, by number. $1 fan-out, $2 root, $3 number to go on after, $4 most. */
export const fanOutsFrom: Statement = {
  name: 'fan-outs-from',
  text: `
with recursive below (id) as (
  select $1::bigint
  union
  select f.id
  from below b
  join fan_out f on f.parent_id between fan_out_first_child($2, b.id) and fan_out_last_child($2, b.id)
)
select id
from below
where id > $3
order by id
limit $4`,
};
