import type { Statement } from '../../database/database.js';

/** New limits of destinations that find them by themselves, whose rows the caller holds. $1 destinations, $2 limits, $3 states. */
export const adaptDestinations: Statement = {
  name: 'adapt-destinations',
  text: `
update destination d
set adaptive_limit = x.value,
    adaptive_state = x.state
from unnest($1::integer[], $2::integer[], $3::text[]) x (id, value, state)
where d.id = x.id`,
};
