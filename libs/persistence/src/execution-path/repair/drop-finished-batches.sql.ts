import type { Statement } from '../../database/database.js';

/** Claim batches of which nothing runs any more, old enough that their executor has forgotten them. $1 age in ms, $2 most. */
export const dropFinishedBatches: Statement = {
  name: 'drop-finished-batches',
  text: `
with old as (
  select id, ids, node, incarnation
  from claim_batch
  where taken_at < now() - $1 * interval '1 millisecond'
  order by id
  limit $2
  for update skip locked
)
delete from claim_batch
using old
where claim_batch.id = old.id
  and not exists (
    select
    from unnest(old.ids) x (id)
    join task t on t.execution_id = x.id and t.node = old.node
    where t.incarnation = old.incarnation
      and t.state = 'running')`,
};
