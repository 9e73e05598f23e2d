import type { Statement } from '../../database/database.js';

/** $1 execution. */
export const loadParent: Statement = {
  name: 'load-parent',
  text: `
select e.input, e.item, e.labels, e.fan_out_id, f.parent_id
from execution e
left join fan_out f on f.id = e.fan_out_id
where e.id = $1`,
};
