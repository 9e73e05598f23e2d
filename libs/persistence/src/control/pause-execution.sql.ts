import type { Statement } from '../database/database.js';
import { executionFrom, executionTo } from '../database/moves.js';

/** Pauses one execution. $1 execution. Zero rows: its state does not allow it. */
export const pauseExecution: Statement = {
  name: 'pause-execution',
  text: `
with old as (
  select id, state
  from execution
  where id = $1
), moved as (
  update execution e
  set state = ${executionTo('pause')},
      seq = e.seq + 1
  from old
  where e.id = old.id
    and e.state = ${executionFrom('pause')}
  returning e.id, e.seq, e.fan_out_id, old.state as from_state
), facts as (
  insert into event (execution_id, seq, kind, data)
  select id, seq, 'paused', '{"from":"' || upper(from_state::text) || '"}'
  from moved
), tally as (
  update fan_out_tally t
  set paused = t.paused + 1
  from moved
  where t.fan_out_id = moved.fan_out_id
)
select from_state, fan_out_id
from moved`,
};
