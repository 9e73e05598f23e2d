import type { Statement } from '../../database/database.js';

/** Appends log lines, numbered on per execution. $1 executions, $2 nodes, $3 attempts, $4 times, $5 levels, $6 messages, $7 fields. */
export const addLogLines: Statement = {
  name: 'add-log-lines',
  text: `
insert into log_line (execution_id, n, at, node, attempt, level, message, fields)
select x.execution_id,
       coalesce((select max(l.n) from log_line l where l.execution_id = x.execution_id), 0)
         + row_number() over (partition by x.execution_id order by x.position),
       x.at, x.node, x.attempt, x.level, x.message, x.fields
from unnest($1::uuid[], $2::smallint[], $3::integer[], $4::timestamptz[], $5::text[], $6::text[], $7::text[]) with ordinality
  x (execution_id, node, attempt, at, level, message, fields, position)`,
};
