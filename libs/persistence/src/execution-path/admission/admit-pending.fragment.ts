import { executionFrom, executionTo } from '../../database/moves.js';

/**
 * Executions that were still pending are ready, and that is a fact: of `gone`, what left the comebacks.
 * @param which of them
 */
export const admitPending = (which: string): string => `moved as (
  update execution e
  set state = ${executionTo('admit')},
      seq = e.seq + 1
  from gone
  where ${which}
    and e.id = gone.execution_id
    and e.state = ${executionFrom('admit')}
  returning e.id, e.seq, gone.fan_out_id
), facts as (
  insert into event (execution_id, seq, kind)
  select id, seq, 'ready'
  from moved
)`;
