import type { Statement } from '../database/database.js';

/**
 * Log lines of several executions, each after a line of its own.
 * $1 uuid[]: executions, $2 int[]: lines, in step, $3 int: at most so many of each.
 */
export const listLogLinesOfMany: Statement = {
  name: 'list-log-lines-of-many',
  text: `
select w.id as "executionId", l.n, l.at, l.level, l.node, l.attempt, l.message, l.fields
from unnest($1::uuid[], $2::int[]) as w(id, n)
cross join lateral (
  select n, at, level, node, attempt, message, fields
  from log_line
  where execution_id = w.id
    and n > w.n
  order by n
  limit $3
) l
order by w.id, l.n`,
};
