import type { Statement } from '../../database/database.js';

/** $1 parent execution, $2 node of the spawner. */
export const fanOutOfSpawner: Statement = {
  name: 'fan-out-of-spawner',
  text: `
select id, root_id, child_version_id, child_path
from fan_out
where parent_id = $1
  and node = $2
order by generation desc
limit 1`,
};
