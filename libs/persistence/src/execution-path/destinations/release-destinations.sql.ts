import type { Statement } from '../../database/database.js';

/** Places are let go when the call has ended. $1 destinations, $2 executions, $3 nodes, $4 fencing tokens, one of each for a place. */
export const releaseDestinations: Statement = {
  name: 'release-destinations',
  text: `
delete from destination_holder h
using unnest($1::integer[], $2::uuid[], $3::smallint[], $4::integer[]) x (destination_id, execution_id, node, fencing_token)
where h.destination_id = x.destination_id
  and h.execution_id = x.execution_id
  and h.node = x.node
  and h.fencing_token = x.fencing_token`,
};
