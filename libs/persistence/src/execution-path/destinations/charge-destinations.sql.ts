import type { Statement } from '../../database/database.js';

/**
 * What was started counts against the rates of destinations, whose rows the caller holds.
 * Parameters: $1 destinations, $2 states of their rates, $3 milliseconds until there is room for one more call.
 */
export const chargeDestinations: Statement = {
  name: 'charge-destinations',
  text: `
update destination d
set rate_state = x.state,
    rate_room_at = case when x.wait_ms > 0 then clock_timestamp() + x.wait_ms * interval '1 millisecond' end
from unnest($1::integer[], $2::text[], $3::float8[]) x (id, state, wait_ms)
where d.id = x.id`,
};
