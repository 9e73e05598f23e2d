import type { Statement } from '../database/database.js';

/**
 * Marks on an execution and on what is above it, nearest first.
 * $1 uuid. Zero rows: nothing holds it.
 */
export const waitingMarks: Statement = {
  name: 'waiting-marks',
  text: `
with recursive line (id, fan_out_id, height) as (
  select e.id, e.fan_out_id, 0
  from execution e
  where e.id = $1
  union all
  select p.id, p.fan_out_id, line.height + 1
  from line
  join fan_out f on f.id = line.fan_out_id
  join execution p on p.id = f.parent_id
)
select m.kind, m.execution_id as "executionId", m.reason
from line
join mark m on m.execution_id = line.id and (m.cascade or line.height = 0)
order by line.height`,
};
