import type { Statement } from '../database/database.js';
import { filtered } from './bulk-moves.fragment.js';

/**
 * The same, by page and locked. $8 command, $9 most.
 * Guard: ended before the command was given. What has run again since, for this redrive or another, and failed once more is not its own.
 */
export const lockMatching: Statement = {
  name: 'lock-matching',
  text: `
select e.id, e.state
from execution e
where e.id between $1 and $2${filtered}
  and e.finished_at <= (select c.created_at from control c where c.id = $8)
order by e.id
limit $9
for update of e`,
};
