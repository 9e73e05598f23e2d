import type { Statement } from '../database/database.js';

/** Locks the control row of a spawner's fan-out: what was decided about it before is seen behind it. $1 execution, $2 spawner. */
export const lockSpawned: Statement = {
  name: 'lock-spawned',
  text: `
select id
from fan_out
where parent_id = $1
  and node = $2
order by id
for update`,
};
