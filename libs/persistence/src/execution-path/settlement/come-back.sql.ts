import type { Statement } from '../../database/database.js';

/**
 * Tasks to be admitted. Parameters: $1 executions, $2 nodes, $3 queues, $4 roots, $5 parents, $6 fan-outs, $7 versions,
 * $8 child paths as JSON, $9 priorities, $10 whether the execution itself is pending, $11 suspects, $12 destinations as JSON,
 * $13 milliseconds until they are available, $14 nodes of the longest way from here to an end.
 */
export const comeBack: Statement = {
  name: 'come-back',
  text: `
insert into comeback (execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, suspect,
                      destinations, available_at, critical_path)
select x.execution_id, x.node, x.queue, x.root_id, x.parent_id, x.fan_out_id, x.version_id,
       array(select json_array_elements_text(x.child_path::json)::smallint),
       coalesce((select f.priority from fan_out f where f.id = x.fan_out_id), x.priority), x.child, x.suspect,
       array(select json_array_elements_text(x.destinations::json)),
       now() + x.available_in * interval '1 millisecond', x.critical_path
from unnest($1::uuid[], $2::smallint[], $3::text[], $4::uuid[], $5::uuid[], $6::bigint[], $7::integer[], $8::text[], $9::smallint[],
            $10::boolean[], $11::boolean[], $12::text[], $13::bigint[], $14::smallint[])
  x (execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, suspect, destinations, available_in,
     critical_path)
on conflict (execution_id, node) do update
set available_at = excluded.available_at,
    suspect = excluded.suspect`,
};
