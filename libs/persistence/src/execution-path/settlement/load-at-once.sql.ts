import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * One execution with what a decision about some of its nodes reads, one row a task (at least one): those of $2 where its count of
 * open tasks is of the present event sequence, else all.
 * Parameters: $1 execution, $2 nodes, $3 those of them whose outputs are read, $4 whether outputs are read where all are loaded.
 */
export const loadAtOnce: Statement = {
  name: 'load-at-once',
  text: `
select e.id, e.seq, e.state, e.fan_out_id, e.version_id, e.priority,
       extract(epoch from now())::double precision * 1000 as now_ms,
       case when e.counted_seq = e.seq then e.open_tasks end as open_tasks,
       case when e.counted_seq = e.seq then e.dead_nodes end as dead_nodes,
       t.node, t.state as task_state, t.attempt, t.charged, t.snoozes, t.losses, t.unbegun, t.outcome, t.snooze_ms,
       case when t.state in ('recorded', 'failed') then t.error end as error,
       case when t.reads and t.state in ('recorded', 'succeeded') then t.output end as output
from execution e
left join lateral (
  select whole.*, $4::boolean as reads
  from task whole
  where whole.execution_id = e.id
    and e.counted_seq is distinct from e.seq
  union all
  select part.*, x.node = any ($3::smallint[]) as reads
  from unnest($2::smallint[]) x (node)
  join task part on part.execution_id = e.id and part.node = x.node
  where e.counted_seq = e.seq
    and ${batchFirst('x.node')}
    and part.shard = 0
) t on true
where e.id = $1`,
};
