import type { Statement } from '../../database/database.js';

/** How the released children of a fan-out stand. $1 id of the first, $2 id of the last of them. */
export const countReleased: Statement = {
  name: 'count-released',
  text: `
select count(*) filter (where state = 'failed')::integer as failed,
       count(*) filter (where state not in ('succeeded', 'failed', 'cancelled'))::integer as open
from execution
where id between $1 and $2`,
};
