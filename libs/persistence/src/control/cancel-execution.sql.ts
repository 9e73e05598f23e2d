import type { Statement } from '../database/database.js';
import { hasPlace } from '../execution-path/open-child.fragment.js';
import { executionFrom, executionTo } from '../database/moves.js';
import { endedExecution } from './ended-execution.fragment.js';

/**
 * Cancels one execution: it, its tasks, what would come back. $1 execution, $2 cause (JSON text of the failure).
 * Zero rows: it has settled.
 */
export const cancelExecution: Statement = {
  name: 'cancel-execution',
  text: `
with old as (
  select id, state, ${hasPlace('execution')} as open
  from execution
  where id = $1
), moved as (
  update execution e
  set state = ${executionTo('cancel')},
      seq = e.seq + case when r.node is null then 1 else 2 end,
      error = $2,
      finished_at = now()
  from old
  left join lateral (
    select node, attempt
    from task
    where execution_id = old.id
      and state in ('running', 'recorded')
    order by node
    limit 1
  ) r on true
  where e.id = old.id
    and e.state = ${executionFrom('cancel')}
  returning e.id, e.seq, e.fan_out_id, old.state as from_state, old.open, r.node, r.attempt
), facts as (
  insert into event (execution_id, seq, kind, node, attempt, data)
  select id,
         case when node is null then seq else seq - 1 end,
         case when node is null then 'cancelled' else 'attempt_cancelled' end::event_kind,
         node,
         attempt,
         '{' || case when node is null then '' else '"outcome":"CANCELLED","charged":true,' end || '"error":' || $2 || '}'
  from moved
${endedExecution('cancelled')}
select from_state, fan_out_id
from moved`,
};
