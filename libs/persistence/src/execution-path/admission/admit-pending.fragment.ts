import { executionFrom, executionTo } from '../../database/moves.js';

/** Executions that were still pending are ready with their first task: of `gone`, what left the comebacks. */
export const admitPending = `moved as (
  update execution e
  set state = ${executionTo('admit')},
      seq = e.seq + 1
  from gone
  where gone.child
    and e.id = gone.execution_id
    and e.state = ${executionFrom('admit')}
  returning e.id, e.seq, gone.fan_out_id
), facts as (
  insert into event (execution_id, seq, kind)
  select id, seq, 'ready'
  from moved
)`;
