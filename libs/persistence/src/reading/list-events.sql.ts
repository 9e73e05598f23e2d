import type { Statement } from '../database/database.js';

/**
 * Stored events of one execution in order. A row stands for one to three facts with consecutive numbers.
 * $1 uuid, $2 int: rows from this number on, $3 int: at most so many.
 */
export const listEvents: Statement = {
  name: 'list-events',
  text: `
select seq, at, kind, node, attempt, actor, data
from event
where execution_id = $1
  and seq >= $2
order by seq
limit $3`,
};
