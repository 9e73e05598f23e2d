import type { Statement } from '../database/database.js';
import { itemIndex } from './item-index.fragment.js';

/** Children that admission has not reached and will: they need nothing to have their turn. $1 fan-out, $2 children. */
export const unadmitted: Statement = {
  name: 'unadmitted',
  text: `
select x.id
from unnest($2::uuid[]) x (id)
join fan_out_admission a on a.fan_out_id = $1
join fan_out f on f.id = a.fan_out_id
where not f.closed
  and ${itemIndex('x.id')} >= a.cursor`,
};
