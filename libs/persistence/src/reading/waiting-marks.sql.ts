import type { Statement } from '../database/database.js';

/**
 * Marks on an execution and on what is above it, nearest first.
 * $1 uuid. Zero rows: nothing holds it.
 */
export const waitingMarks: Statement = {
  name: 'waiting-marks',
  text: `
with recursive line (id, fan_out_id, parent_id, spawner, height) as (
  select e.id, e.fan_out_id, f.parent_id, f.node, 0
  from execution e
  left join fan_out f on f.id = e.fan_out_id
  where e.id = $1
  union all
  select p.id, p.fan_out_id, f.parent_id, f.node, line.height + 2
  from line
  join execution p on p.id = line.parent_id
  left join fan_out f on f.id = p.fan_out_id
)
select m.kind, m.execution_id as "executionId", m.reason, null::smallint as spawner, line.height
from line
join mark m on m.execution_id = line.id and m.fan_out_id = 0 and (m.cascade or line.height = 0)
union all
select m.kind, m.execution_id, m.reason, line.spawner, line.height + 1
from line
join mark m on m.execution_id = line.parent_id and m.fan_out_id = line.fan_out_id
order by height`,
};
