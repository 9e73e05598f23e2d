import type { Statement } from '../../database/database.js';

/**
 * Timers of tasks, each in the place of an earlier one of its kind. Parameters, one array element a timer: $1 kinds,
 * $2 executions, $3 roots, $4 nodes, $5 when they are due, in milliseconds since 1970.
 */
export const armTimers: Statement = {
  name: 'arm-timers',
  text: `
with x as (
  select *
  from unnest($1::text[], $2::uuid[], $3::uuid[], $4::smallint[], $5::double precision[]) x (kind, execution_id, root_id, node, due_ms)
), old as (
  delete from timer t
  using x
  where t.execution_id = x.execution_id
    and t.node = x.node
    and t.kind = x.kind
)
insert into timer (kind, execution_id, root_id, node, due_at)
select kind, execution_id, root_id, node, to_timestamp(due_ms / 1000)
from x`,
};
