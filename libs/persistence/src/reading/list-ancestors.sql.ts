import type { Statement } from '../database/database.js';

/**
 * Ids of the ancestors of an execution, the root first.
 * $1 uuid. Zero rows: it is a root.
 */
export const listAncestors: Statement = {
  name: 'list-ancestors',
  text: `
with recursive up as (
  select f.parent_id as id, 1 as height
  from execution e
  join fan_out f on f.id = e.fan_out_id
  where e.id = $1
  union all
  select f.parent_id, up.height + 1
  from up
  join execution e on e.id = up.id
  join fan_out f on f.id = e.fan_out_id
)
select id
from up
order by height desc`,
};
