import type { Statement } from '../database/database.js';

/** Top-level executions are deleted in batches: this one is told to go. $1 execution. Zero rows: it is open or not top-level. */
export const deletable: Statement = {
  name: 'deletable',
  text: `
select e.id, e.state
from execution e
where e.id = $1
  and e.fan_out_id is null
for update`,
};
