import type { Statement } from '../../database/database.js';

/**
 * A fan-out that has not begun, for the judgement of its whole count. $1 fan-out.
 * Zero rows: it has begun or is over, or somebody else has just found it to be within its quota.
 */
export const lockUnjudged: Statement = {
  name: 'lock-unjudged',
  text: `
select id
from fan_out
where id = $1
  and spawned = 0
  and not within_quota
  and not sealed
  and not closed
for update`,
};
