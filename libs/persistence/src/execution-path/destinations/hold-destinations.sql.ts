import type { Statement } from '../../database/database.js';

/**
 * Running tasks come to hold destinations that were unknown when they were claimed.
 *
 * Parameters: $1 destinations, $2 claim batches, $3 executions, $4 nodes, $5 fencing tokens, one of each for a place.
 * Guard: the task still runs under that fencing token. The place is that claim's own: a call of an earlier claim that still
 * runs somewhere keeps its own. A place that is held already is held once.
 * Ids not returned: the task is somebody else's now.
 */
export const holdDestinations: Statement = {
  name: 'hold-destinations',
  text: `
with wanted as (
  select x.destination_id, x.batch_id, x.fencing_token, t.execution_id, t.node, t.incarnation
  from unnest($1::integer[], $2::bigint[], $3::uuid[], $4::smallint[], $5::integer[])
    x (destination_id, batch_id, execution_id, node, fencing_token)
  join task t on t.execution_id = x.execution_id
    and t.node = x.node
    and t.shard = 0
    and t.fencing_token = x.fencing_token
    and t.state = 'running'
), held as (
  insert into destination_holder as h (batch_id, destination_id, incarnation, node, ids)
  select batch_id, destination_id, min(incarnation), min(node), array_agg(distinct execution_id)
  from wanted
  group by batch_id, destination_id
  order by batch_id, destination_id
  on conflict (batch_id, destination_id) do update
  set ids = h.ids || array(select i from unnest(excluded.ids) i where i <> all (h.ids))
)
select destination_id as destination, batch_id as batch, execution_id as "executionId", node, fencing_token as "fencingToken"
from wanted`,
};
