import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * Executions with their tasks, one row a task (at least one row an execution). Those whose count of open tasks is of the present
 * event sequence come without tasks, unless all of them are asked for: whatever else moves tasks leaves a fact, and with it the
 * count is out of date. Parameters, one array element an execution: $1 executions, $2 whether all tasks are asked for.
 */
export const loadExecutions: Statement = {
  name: 'load-executions',
  text: `
select e.id, e.seq, e.state, e.fan_out_id, e.version_id, e.priority,
       extract(epoch from now())::double precision * 1000 as now_ms,
       case when not x.whole and e.counted_seq = e.seq then e.open_tasks end as open_tasks,
       case when not x.whole and e.counted_seq = e.seq then e.dead_nodes end as dead_nodes,
       t.node, t.state as task_state, t.attempt, t.charged, t.snoozes, t.losses, t.unbegun, t.outcome, t.snooze_ms,
       case when t.state in ('recorded', 'failed') then t.error end as error
from unnest($1::uuid[], $2::boolean[]) with ordinality x (id, whole, n)
join execution e on e.id = x.id
left join task t on t.execution_id = e.id and (x.whole or e.counted_seq is distinct from e.seq)
where ${batchFirst('x.n')}`,
};
