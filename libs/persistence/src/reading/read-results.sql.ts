import type { Statement } from '../database/database.js';

/**
 * Children of a fan-out in item order with the outputs of given nodes.
 * $1 uuid: after this id, $2 uuid: up to this id, $3 int: at most so many children, $4 smallint[]: nodes,
 * $5 int: bytes after which it stops, the first child excepted.
 * One row per output, or one row with no node where a child has none. Zero rows: the range has ended.
 */
export const readResults: Statement = {
  name: 'read-results',
  text: `
with page as materialized (
  select id, state, item_key, error
  from execution
  where id > $1
    and id <= $2
  order by id
  limit $3
), outputs as materialized (
  select p.id, p.state, p.item_key, p.error, t.node, t.output,
    sum(coalesce(octet_length(t.output), 0)) over (order by p.id) as running
  from page p
  left join task t on t.execution_id = p.id and t.node = any($4) and t.shard = 0 and t.state = 'succeeded'
)
select id, state, item_key as "itemKey", error, node, output
from outputs
where running <= $5
  or id = (select id from page order by id limit 1)
order by id, node`,
};
