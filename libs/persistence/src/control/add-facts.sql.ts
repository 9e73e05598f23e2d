import type { Statement } from '../database/database.js';

/** Facts about one execution. $1 execution, $2 kinds, $3 nodes, $4 data (one fact each, in order; each kind of one fact). */
export const addFacts: Statement = {
  name: 'add-facts',
  text: `
with bumped as (
  update execution
  set seq = seq + cardinality($2::text[])
  where id = $1
  returning id, seq - cardinality($2::text[]) as before
)
insert into event (execution_id, seq, kind, node, data)
select b.id, b.before + x.n::integer, x.kind::event_kind, x.node, x.data
from bumped b, unnest($2::text[], $3::smallint[], $4::text[]) with ordinality x (kind, node, data, n)`,
};
