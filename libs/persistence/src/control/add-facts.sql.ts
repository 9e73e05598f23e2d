import type { Statement } from '../database/database.js';

/** Facts about executions. $1 executions, $2 kinds, $3 nodes, $4 data (one fact each, in order; each kind of one fact). */
export const addFacts: Statement = {
  name: 'add-facts',
  text: `
with x as (
  select execution_id, kind, node, data, row_number() over (partition by execution_id order by n)::integer as nth
  from unnest($1::uuid[], $2::text[], $3::smallint[], $4::text[]) with ordinality x (execution_id, kind, node, data, n)
), bumped as (
  update execution e
  set seq = e.seq + counted.n
  from (select execution_id, count(*)::integer as n from x group by execution_id) counted
  where e.id = counted.execution_id
  returning e.id, e.seq - counted.n as before
)
insert into event (execution_id, seq, kind, node, data)
select b.id, b.before + x.nth, x.kind::event_kind, x.node, x.data
from bumped b
join x on x.execution_id = b.id`,
};
