import { taskFrom } from '../../database/moves.js';
import { claimable } from './claim-handout.fragment.js';

/**
 * Reads what a claim would take, because the items decide how much they cost. Nothing moves. The caller holds the rows of the
 * destinations, so no other claim of these tasks comes between; what a command moves meanwhile the claim leaves out.
 * Parameters: $1 hand-out, $2 most tasks. In the order in which the claim takes them.
 */
export const peek = (range: string): string => `
select e.id, e.input, e.item, e.item_key as "itemKey", e.labels
from handout h, task t, execution e
where h.id = $1
  and ${range}
  and t.node = h.node
  and t.state = ${taskFrom('claim')}
  and e.id = t.execution_id
  and e.state = ${claimable}
order by t.execution_id
limit $2`;
