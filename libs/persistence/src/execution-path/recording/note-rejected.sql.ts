import type { Statement } from '../../database/database.js';

/** A late write was rejected: one fact for each execution. $1 executions, $2 nodes, $3 fencing tokens, $4 incarnation. */
export const noteRejected: Statement = {
  name: 'note-rejected',
  text: `
with x as (
  select execution_id, min(node) as node, min(fencing_token) as fencing_token
  from unnest($1::uuid[], $2::smallint[], $3::integer[]) x (execution_id, node, fencing_token)
  group by execution_id
), bumped as (
  update execution e
  set seq = e.seq + 1
  from x
  where e.id = x.execution_id
  returning e.id, e.seq, x.node, x.fencing_token
)
insert into event (execution_id, seq, kind, node, actor, data)
select id, seq, 'write_rejected', node, $4, '{"fencingToken":' || fencing_token || '}'
from bumped`,
};
