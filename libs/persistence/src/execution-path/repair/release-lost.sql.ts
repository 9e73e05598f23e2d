import type { Statement } from '../../database/database.js';
import { endRunning } from './repair.fragment.js';

/** What incarnations that are over had claimed: recorded as lost. $1 most batches, $2 failure. */
export const releaseLost: Statement = {
  name: 'release-lost',
  text: `
with orphaned as (
  select b.id, b.ids, b.node, b.incarnation
  from claim_batch b
  join executor e on e.id = b.incarnation
  where e.state in ('lost', 'ended')
  order by b.id
  limit $1
  for update of b skip locked
), gone as (
  delete from claim_batch
  using orphaned
  where claim_batch.id = orphaned.id
),${endRunning('orphaned', 'lost')}`,
};
