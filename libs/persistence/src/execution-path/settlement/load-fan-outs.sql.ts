import type { Statement } from '../../database/database.js';

/** The latest generation of each spawner of these executions. $1 executions. */
export const loadFanOuts: Statement = {
  name: 'load-fan-outs',
  text: `
select distinct on (parent_id, node) id, parent_id, node, total, sealed, closed, verdict, verdict_reason
from fan_out
where parent_id = any ($1::uuid[])
  and not superseded
order by parent_id, node, generation desc`,
};
