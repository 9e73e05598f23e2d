import type { Statement } from '../../database/database.js';

/** Fan-outs that pressure holds back, in order. $1 most. */
export const deferredFanOuts: Statement = {
  name: 'deferred-fan-outs',
  text: `
select id, parent_id
from fan_out
where not sealed
  and not closed
  and deferred_reason = any (array['STORAGE_BUDGET', 'PAYLOAD_BUDGET', 'DATABASE_LAG', 'BROKER_ALARM', 'OPERATOR'])
order by id
limit $1`,
};
