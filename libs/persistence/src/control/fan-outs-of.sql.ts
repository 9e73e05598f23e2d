import type { Statement } from '../database/database.js';

/** The latest generation of each fan-out of executions. $1 executions. */
export const fanOutsOf: Statement = {
  name: 'fan-outs-of',
  text: `
select distinct on (parent_id, node) id, root_id, parent_id, node, merge_node, verdict, verdict_reason, sealed, closed, cancelled_at is not null as cancelled, round, child_version_id, child_path,
       child_node
from fan_out
where parent_id = any ($1::uuid[])
  and not superseded
order by parent_id, node, generation desc`,
};
