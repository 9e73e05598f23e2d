import { taskFrom } from '../../database/moves.js';
import { claimable } from './claim-handout.fragment.js';

/**
 * Reads what a claim would take, because the items decide how much they cost. Nothing moves. The caller holds the rows of the
 * destinations, so no other claim of these tasks comes between; what a command moves meanwhile the claim leaves out.
 * Parameters: $1 hand-out, $2 most tasks. In the order in which the claim takes them.
 */
export const peek = (range: string): string => `
with h as (
  select *
  from handout
  where id = $1
)
select e.id, e.input, e.item, e.item_key as "itemKey", e.labels
from task t, execution e
where ${range}
  and t.node = (select node from h)
  and t.state = ${taskFrom('claim')}
  and e.id = t.execution_id
  and e.state = ${claimable}
order by t.execution_id
limit $2`;
