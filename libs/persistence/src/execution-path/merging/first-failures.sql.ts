import type { Statement } from '../../database/database.js';

/** The first failed and the first cancelled child, for the reason of a failed verdict. $1 first id, $2 last id. */
export const firstFailures: Statement = {
  name: 'first-failures',
  text: `
select id, state, error
from execution
where id between $1 and $2
  and state in ('failed', 'cancelled')
order by id
limit 1`,
};
