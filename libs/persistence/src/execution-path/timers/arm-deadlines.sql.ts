import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * Executions get their deadline, each in the place of an earlier one. Parameters, one array element an execution:
 * $1 executions, $2 roots, $3 milliseconds from now.
 */
export const armDeadlines: Statement = {
  name: 'arm-deadlines',
  text: `
with old as (
  delete from timer
  where execution_id = any ($1::uuid[])
    and kind = 'deadline'
), moved as (
  update execution e
  set deadline_at = now() + x.ms * interval '1 millisecond'
  from unnest($1::uuid[], $2::uuid[], $3::bigint[]) x (id, root_id, ms)
  where ${batchFirst('x.ms')}
    and e.id = x.id
  returning e.id, x.root_id, e.deadline_at
)
insert into timer (kind, execution_id, root_id, due_at)
select 'deadline', id, root_id, deadline_at
from moved`,
};
