import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/** The latest generation of some spawners. Parameters, one array element a spawner: $1 executions, $2 nodes. */
export const loadFanOutsOf: Statement = {
  name: 'load-fan-outs-of',
  text: `
select distinct on (f.parent_id, f.node) f.id, f.parent_id, f.node, f.total, f.sealed, f.closed, f.verdict, f.verdict_reason
from unnest($1::uuid[], $2::smallint[]) x (execution_id, node)
join fan_out f on f.parent_id = x.execution_id and f.node = x.node
where ${batchFirst('x.node')}
  and not f.superseded
order by f.parent_id, f.node, f.generation desc`,
};
