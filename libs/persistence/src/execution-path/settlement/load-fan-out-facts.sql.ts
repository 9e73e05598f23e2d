import type { Statement } from '../../database/database.js';

/** What never changes of fan-outs. $1 fan-outs. */
export const loadFanOutFacts: Statement = {
  name: 'load-fan-out-facts',
  text: `
select id, parent_id, root_id, node, depth, child_version_id, child_path, queue
from fan_out
where id = any ($1::bigint[])`,
};
