import type { Statement } from '../../database/database.js';

/** Fan-outs whose verdict is open, to be checked in turns. $1 number to go on after, $2 most. */
export const openFanOuts: Statement = {
  name: 'open-fan-outs',
  text: `
select id, root_id
from fan_out
where verdict = 'open'
  and id > $1
order by id
limit $2`,
};
