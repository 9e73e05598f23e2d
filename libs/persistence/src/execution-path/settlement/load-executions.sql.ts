import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/** Executions with their tasks, one row a task (at least one row an execution). $1 executions. */
export const loadExecutions: Statement = {
  name: 'load-executions',
  text: `
select e.id, e.seq, e.state, e.fan_out_id, e.version_id, e.priority,
       extract(epoch from now())::double precision * 1000 as now_ms,
       t.node, t.state as task_state, t.attempt, t.charged, t.snoozes, t.losses, t.unbegun, t.outcome, t.snooze_ms,
       case when t.state in ('recorded', 'failed') then t.error end as error
from unnest($1::uuid[]) with ordinality x (id, n)
join execution e on e.id = x.id
left join task t on t.execution_id = e.id
where ${batchFirst('x.n')}`,
};
