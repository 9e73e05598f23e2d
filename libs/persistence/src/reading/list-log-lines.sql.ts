import type { Statement } from '../database/database.js';

/**
 * Log lines of one execution.
 * $1 uuid, $2 int: after this line, $3 int: of this attempt only, or null, $4 int: at most so many.
 */
export const listLogLines: Statement = {
  name: 'list-log-lines',
  text: `
select n, at, level, node, attempt, message, fields
from log_line
where execution_id = $1
  and n > $2
  and ($3::int is null or attempt = $3)
order by n
limit $4`,
};
