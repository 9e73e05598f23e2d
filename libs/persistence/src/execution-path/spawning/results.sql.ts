import type { Statement } from '../../database/database.js';

/** $1 parent execution, $2 node of the spawner. */
export const fanOutOfSpawner: Statement = {
  name: 'fan-out-of-spawner',
  text: `
select id, root_id
from fan_out
where parent_id = $1
  and node = $2
order by generation desc
limit 1`,
};

/** $1 first id, $2 last id, $3 states, $4 node of the output, $5 most rows. */
export const resultPage: Statement = {
  name: 'result-page',
  text: `
select e.id, e.item_key, t.output
from execution e
left join task t on t.execution_id = e.id and t.node = $4 and t.shard = 0
where e.id between $1 and $2
  and e.state = any ($3::execution_state[])
order by e.id
limit $5`,
};
