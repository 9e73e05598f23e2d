import type { Statement } from '../../database/database.js';
import { columnsInForce } from '../destinations/in-force.fragment.js';

/** Destinations in force for a claim, locked in id order before their holders are counted. $1 names and `host:…` names. */
export const lockDestinations: Statement = {
  name: 'lock-destinations',
  text: `
select ${columnsInForce('d')}
from destination d
where d.name = any ($1::text[])
   or 'host:' || d.host = any ($1::text[])
order by d.id
for update`,
};
