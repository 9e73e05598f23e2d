import type { Statement } from '../database/database.js';
import { fanOutColumns, fanOutJoins } from './fan-out-columns.js';

/**
 * Every fan-out of given executions with its counts, older generations included, by parent, position of the spawner and
 * generation.
 * $1 uuid[]: executions.
 */
export const listFanOuts: Statement = {
  name: 'list-fan-outs',
  text: `
select ${fanOutColumns}
from fan_out f
${fanOutJoins}
where f.parent_id = any($1)
order by f.parent_id, f.node, f.generation`,
};
