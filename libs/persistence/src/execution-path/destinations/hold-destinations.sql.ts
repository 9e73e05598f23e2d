import type { Statement } from '../../database/database.js';

/**
 * Locks destinations in id order, before their holders are counted in a statement of its own.
 * $1 destinations. "limit" null: any number; "throttledForMs" above zero: it waits.
 */
export const lockForCall: Statement = {
  name: 'lock-destinations-for-call',
  text: `
select id,
       least(max_concurrency, ramp) as "limit",
       greatest(0, ceil(extract(epoch from throttled_until - now()) * 1000))::integer as "throttledForMs"
from destination
where id = any ($1::integer[])
order by id
for update`,
};

/**
 * Running tasks come to hold destinations that were unknown when they were claimed.
 *
 * Parameters: $1 destinations, $2 executions, $3 nodes, $4 fencing tokens, one of each for a place.
 * Guard: the task still runs under that fencing token; the place belongs to the incarnation that runs it.
 * Ids not returned: the task is somebody else's now.
 */
export const holdDestinations: Statement = {
  name: 'hold-destinations',
  text: `
insert into destination_holder (destination_id, execution_id, node, incarnation)
select x.destination_id, t.execution_id, t.node, t.incarnation
from unnest($1::integer[], $2::uuid[], $3::smallint[], $4::integer[]) x (destination_id, execution_id, node, fencing_token)
join task t on t.execution_id = x.execution_id
  and t.node = x.node
  and t.shard = 0
  and t.fencing_token = x.fencing_token
  and t.state = 'running'
order by x.destination_id
on conflict (destination_id, execution_id, node) do update
set incarnation = excluded.incarnation,
    taken_at = now()
returning destination_id as destination, execution_id as "executionId", node, incarnation`,
};

/** Places are let go when the call has ended. $1 destinations, $2 executions, $3 nodes, $4 incarnations, one of each for a place. */
export const releaseDestinations: Statement = {
  name: 'release-destinations',
  text: `
delete from destination_holder h
using unnest($1::integer[], $2::uuid[], $3::smallint[], $4::integer[]) x (destination_id, execution_id, node, incarnation)
where h.destination_id = x.destination_id
  and h.execution_id = x.execution_id
  and h.node = x.node
  and h.incarnation = x.incarnation`,
};
