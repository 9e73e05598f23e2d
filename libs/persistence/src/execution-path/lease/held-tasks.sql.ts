import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/** Tasks that an incarnation has claimed and not recorded. $1 incarnation. */
export const heldTasks: Statement = {
  name: 'held-tasks',
  text: `
select t.execution_id, t.node, t.fencing_token, b.id as batch_id
from claim_batch b
cross join lateral unnest(b.ids) x (id)
join task t on t.execution_id = x.id and t.node = b.node and t.shard = 0
where b.incarnation = $1
  and ${batchFirst('b.node')}
  and t.incarnation = $1
  and t.state = 'running'`,
};
