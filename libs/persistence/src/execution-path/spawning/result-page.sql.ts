import type { Statement } from '../../database/database.js';

/** $1 first id, $2 last id, $3 states, $4 nodes whose outputs are the child's, $5 most rows. */
export const resultPage: Statement = {
  name: 'result-page',
  text: `
select e.id, e.item_key, t.nodes, t.outputs
from execution e
cross join lateral (
  select array_agg(node order by node) as nodes, array_agg(output order by node) as outputs
  from task
  where execution_id = e.id
    and node = any ($4::smallint[])
    and state = 'succeeded'
) t
where e.id between $1 and $2
  and e.state = any ($3::execution_state[])
order by e.id
limit $5`,
};
