import type { Statement } from '../../database/database.js';

/** What is open in fan-outs that nobody waits for any more is cancelled by a command. $1 fan-outs. */
export const abandonFanOuts: Statement = {
  name: 'abandon-fan-outs',
  text: `
insert into control (kind, execution_id, root_id, fan_out_id, round)
select 'fail_fast', parent_id, root_id, id, round
from fan_out
where id = any ($1::bigint[])`,
};
