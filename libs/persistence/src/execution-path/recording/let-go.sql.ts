import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * Lets go of the destinations that calls held, whatever became of their task: the holder's word that the call has ended.
 * Parameters: $1 incarnation, $2 executions, $3 nodes. Returns the destinations that have room again.
 */
export const letGo: Statement = {
  name: 'let-go',
  text: `
with gone as (
  delete from destination_holder h
  using unnest($2::uuid[], $3::smallint[]) x (execution_id, node)
  where ${batchFirst('x.node')}
    and h.execution_id = x.execution_id
    and h.node = x.node
    and h.incarnation = $1
  returning h.destination_id
)
select destination_id as id, count(*)::integer as freed
from gone
group by destination_id`,
};
