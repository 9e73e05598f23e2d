import type { Statement } from '../database/database.js';
import { filtered } from './bulk-moves.fragment.js';

/** Children that a redrive would move. $1 first id, $2 last id, $3 states, $4 fingerprint, $5 class, $6 ids, $7 pattern of the error. */
export const countMatching: Statement = {
  name: 'count-matching',
  text: `
select count(*)::integer as matched
from execution e
where e.id between $1 and $2${filtered}`,
};
