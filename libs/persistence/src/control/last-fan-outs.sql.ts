import type { Statement } from '../database/database.js';

/** The youngest fan-outs of a root, at every depth, the youngest first. $1 root, $2 most. */
export const lastFanOuts: Statement = {
  name: 'last-fan-outs',
  text: `
select id
from fan_out
where root_id = $1
order by id desc
limit $2`,
};
