import type { Statement } from '../../database/database.js';

/**
 * Running tasks come to hold destinations that were unknown when they were claimed.
 *
 * Parameters: $1 destinations, $2 executions, $3 nodes, $4 fencing tokens, one of each for a place.
 * Guard: the task still runs under that fencing token. The place is that claim's own: a call of an earlier claim that still
 * runs somewhere keeps its own.
 * Ids not returned: the task is somebody else's now.
 */
export const holdDestinations: Statement = {
  name: 'hold-destinations',
  text: `
insert into destination_holder (destination_id, execution_id, node, fencing_token, incarnation)
select x.destination_id, t.execution_id, t.node, t.fencing_token, t.incarnation
from unnest($1::integer[], $2::uuid[], $3::smallint[], $4::integer[]) x (destination_id, execution_id, node, fencing_token)
join task t on t.execution_id = x.execution_id
  and t.node = x.node
  and t.shard = 0
  and t.fencing_token = x.fencing_token
  and t.state = 'running'
order by x.destination_id
on conflict (destination_id, execution_id, node, fencing_token) do update
set taken_at = now()
returning destination_id as destination, execution_id as "executionId", node, fencing_token as "fencingToken"`,
};
