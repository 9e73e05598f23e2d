import type { Statement } from '../database/database.js';

/** $1 fan-out. */
export const fanOutForRedrive: Statement = {
  name: 'fan-out-for-redrive',
  text: `
select id, root_id, parent_id, node, merge_node, verdict, verdict_reason, sealed, closed, cancelled_at is not null as cancelled, round, child_version_id, child_path, child_node
from fan_out
where id = $1`,
};
