import type { Statement } from '../../database/database.js';
import { columnsInForce } from './in-force.fragment.js';

/** Locks destinations in id order, before their holders are counted in a statement of its own. $1 destinations. */
export const lockForCall: Statement = {
  name: 'lock-destinations-for-call',
  text: `
select ${columnsInForce('d')}
from destination d
where d.id = any ($1::integer[])
order by d.id
for update`,
};
