import type { Statement } from '../../database/database.js';

/** Outputs of settled tasks of one execution. $1 execution, $2 nodes. */
export const loadParentOutputs: Statement = {
  name: 'load-parent-outputs',
  text: `
select node, state, output
from task
where execution_id = $1
  and node = any ($2::smallint[])
  and state in ('succeeded', 'failed', 'skipped', 'cancelled')`,
};
