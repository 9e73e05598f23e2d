import type { Statement } from '../database/database.js';

/**
 * How far admission has come in a fan-out.
 * $1 bigint. Zero rows: it is not admitted through a queue.
 */
export const fanOutOpened: Statement = {
  name: 'fan-out-opened',
  text: `
select a.queue, a.cursor, a.opened - t.closed as open, a.backlogged, f.max_concurrency as "maxConcurrency", f.closed, f.released, f.stage, f.stage_hold as "stageHold"
from fan_out_admission a
join fan_out f on f.id = a.fan_out_id
join fan_out_tally t on t.fan_out_id = a.fan_out_id
where a.fan_out_id = $1`,
};
