import type { Statement } from '../../database/database.js';

/**
 * Takes recorded batches off the table (until the transaction ends, nobody else sees them) and names the executions in
 * them, with their nodes; -1 stands for any. $1 batches. Zero rows: settled already.
 */
export const takeRecorded: Statement = {
  name: 'take-recorded',
  text: `
with b as (
  select id, ids, nodes
  from recorded_batch
  where id = any ($1::bigint[])
  for update skip locked
), gone as (
  delete from recorded_batch
  using b
  where recorded_batch.id = b.id
)
select u.id, array_agg(distinct u.node) as nodes
from b
cross join lateral unnest(b.ids, b.nodes) u (id, node)
group by u.id`,
};
