import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * Executions whose decision has done enough, and goes on with these nodes behind their gates, as if it had just been laid out.
 * Parameters: $1 executions, ascending; $2 the nodes of each as a JSON array.
 */
export const goOnLater: Statement = {
  name: 'go-on-later',
  text: `
insert into intake (execution_id, nodes)
select x.id, array(select json_array_elements_text(x.nodes::json)::smallint)
from unnest($1::uuid[], $2::text[]) with ordinality x (id, nodes, n)
where ${batchFirst('x.n')}
on conflict (execution_id) do update
set nodes = intake.nodes || excluded.nodes`,
};
