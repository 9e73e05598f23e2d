import type { Statement } from '../database/database.js';

/**
 * Redrives of fan-outs, by their next rounds. Parameters, one array element a command: $1 executions, $2 roots, $3 fan-outs,
 * $4 rounds, $5 filters.
 */
export const addRedrives: Statement = {
  name: 'add-redrives',
  text: `
insert into control (kind, execution_id, root_id, fan_out_id, round, filter, matched)
select 'redrive', x.execution_id, x.root_id, x.fan_out_id, x.round, x.filter, 0
from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::integer[], $5::text[]) x (execution_id, root_id, fan_out_id, round, filter)`,
};
