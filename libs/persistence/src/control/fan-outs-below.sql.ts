import type { Statement } from '../database/database.js';
import { below } from './control-execution.fragment.js';

/** The next fan-outs below an execution, by number. $1 execution, $2 root, $3 number to go on after, $4 most. */
export const fanOutsBelow: Statement = {
  name: 'fan-outs-below',
  text: `${below}
select f.id
from below b
join fan_out f on f.id = b.id
where f.id > $3
order by f.id
limit $4`,
};
