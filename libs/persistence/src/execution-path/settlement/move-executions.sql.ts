import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * The first half of committing decisions: the executions move, if they still are what was decided about.
 *
 * Parameters, one array element an execution: $1 ids, $2 expected event sequences, $3 expected states, $4 new states,
 * $5 events to come, $6 whether it starts, $7 errors, $8 fingerprints; of large executions, else null: $9 tasks that are open then,
 * $10 nodes that can never run.
 * Guard: the event sequence and the state are those that were loaded; the moves themselves were checked against the
 * transition tables by the decision. Ids not returned moved meanwhile: load them again and decide again.
 */
export const moveExecutions: Statement = {
  name: 'move-executions',
  text: `
update execution e
set state = x.to_state,
    seq = e.seq + x.events,
    starts = e.starts + case when x.starts then 1 else 0 end,
    started_at = case when x.starts then coalesce(e.started_at, now()) else e.started_at end,
    finished_at = case when x.to_state in ('succeeded', 'failed', 'cancelled') then now() end,
    error = x.error,
    fingerprint = x.fingerprint,
    counted_seq = case when x.open_tasks is not null then e.seq + x.events end,
    open_tasks = x.open_tasks,
    dead_nodes = x.dead_nodes
from unnest($1::uuid[], $2::integer[], $3::execution_state[], $4::execution_state[], $5::integer[], $6::boolean[], $7::text[], $8::text[],
            $9::smallint[], $10::bytea[])
  x (id, seq, from_state, to_state, events, starts, error, fingerprint, open_tasks, dead_nodes)
where ${batchFirst('x.seq')}
  and e.id = x.id
  and e.seq = x.seq
  and e.state = x.from_state
returning e.id`,
};
