import type { Statement } from '../database/database.js';

/** A rollout that stopped at its failure ratio. $1 parent. Zero rows: none did. */
export const stoppedRollout: Statement = {
  name: 'stopped-rollout',
  text: `
select id
from fan_out
where parent_id = $1
  and stage_hold = 'stopped'
  and not closed
  and not superseded
limit 1`,
};
