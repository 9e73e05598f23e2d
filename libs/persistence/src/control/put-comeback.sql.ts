import type { Statement } from '../database/database.js';

/**
 * Tasks are to be admitted, as urgently as their fan-out is now, or their execution. $1 JSON array of comeback rows; one
 * without a critical path has none to speak of, as a child of one node.
 */
export const putComeback: Statement = {
  name: 'put-comeback',
  text: `
insert into comeback (execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, suspect,
                      destinations, available_at, critical_path)
select x.execution_id, x.node, x.queue, x.root_id, x.parent_id, x.fan_out_id, x.version_id, x.child_path,
       coalesce((select f.priority from fan_out f where f.id = x.fan_out_id),
                (select e.priority from execution e where e.id = x.execution_id)),
       x.child, false, x.destinations, now(), coalesce(x.critical_path, 1)
from json_to_recordset($1::json) x (execution_id uuid, node smallint, queue text, root_id uuid, parent_id uuid, fan_out_id bigint,
  version_id integer, child_path smallint[], child boolean, destinations text[], critical_path smallint)
on conflict (execution_id, node) do update
set available_at = now(),
    child = excluded.child`,
};
