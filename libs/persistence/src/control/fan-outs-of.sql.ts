import type { Statement } from '../database/database.js';

/** The latest generation of each fan-out of an execution. $1 execution. */
export const fanOutsOf: Statement = {
  name: 'fan-outs-of',
  text: `
select distinct on (node) id, root_id, parent_id, node, merge_node, verdict, verdict_reason, sealed, closed, round, child_version_id, child_path,
       child_node
from fan_out
where parent_id = $1
  and not superseded
order by node, generation desc`,
};
