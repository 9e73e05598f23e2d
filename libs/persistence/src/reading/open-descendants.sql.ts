import type { Statement } from '../database/database.js';

/**
 * How many descendants of given roots are open: everything below each of them.
 * $1 uuid[]: roots. A root without a row has none.
 */
export const openBelowRoots: Statement = {
  name: 'open-below-roots',
  text: `
select f.root_id as id, sum(f.spawned - t.succeeded - t.failed - t.cancelled) as open
from fan_out f
join fan_out_tally t on t.fan_out_id = f.id
where f.root_id = any($1)
group by f.root_id`,
};
