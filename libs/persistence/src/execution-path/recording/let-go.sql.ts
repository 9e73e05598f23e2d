import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * Lets go of the destinations that calls held, whatever became of their task: the holder's word that the call has ended.
 * Parameters: $1 incarnation, $2 executions, $3 nodes, $4 fencing tokens. Guard: a place is let go by the claim that took it, so
 * that the end of a call says nothing about a later call of the same task. Returns the destinations that have room again.
 */
export const letGo: Statement = {
  name: 'let-go',
  text: `
with gone as (
  delete from destination_holder h
  using unnest($2::uuid[], $3::smallint[], $4::integer[]) x (execution_id, node, fencing_token)
  where ${batchFirst('x.node')}
    and h.execution_id = x.execution_id
    and h.node = x.node
    and h.fencing_token = x.fencing_token
    and h.incarnation = $1
  returning h.destination_id
)
select destination_id as id, count(*)::integer as freed
from gone
group by destination_id`,
};
