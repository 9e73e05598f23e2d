import type { Statement } from '../database/database.js';

/** A task of one execution is to be admitted. $1 JSON object of a comeback row. */
export const putComeback: Statement = {
  name: 'put-comeback',
  text: `
insert into comeback (execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, suspect,
                      destinations, available_at)
select execution_id, node, queue, root_id, parent_id, fan_out_id, version_id, child_path, priority, child, false, destinations, now()
from json_to_recordset($1::json) x (execution_id uuid, node smallint, queue text, root_id uuid, parent_id uuid, fan_out_id bigint,
  version_id integer, child_path smallint[], priority smallint, child boolean, destinations text[])
on conflict (execution_id, node) do update
set available_at = now(),
    child = excluded.child`,
};
