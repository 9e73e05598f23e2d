import type { Statement } from '../database/database.js';
import { filtered } from './bulk-moves.fragment.js';

/** The same, by page and locked. $8 most. */
export const lockMatching: Statement = {
  name: 'lock-matching',
  text: `
select e.id, e.state
from execution e
where e.id between $1 and $2${filtered}
order by e.id
limit $8
for update`,
};
