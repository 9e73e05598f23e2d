import type { Statement } from '../../database/database.js';

/**
 * Results of all children in item order, for a merge that inlines them. $1 first id, $2 last id, $3 nodes whose outputs are
 * the child's, $4 most children.
 */
export const inlineResults: Statement = {
  name: 'inline-results',
  text: `
select e.id, e.state, e.item_key, e.error, t.nodes, t.outputs
from execution e
cross join lateral (
  select array_agg(node order by node) as nodes, array_agg(output order by node) as outputs
  from task
  where execution_id = e.id
    and node = any ($3::smallint[])
    and state = 'succeeded'
) t
where e.id between $1 and $2
order by e.id
limit $4`,
};
