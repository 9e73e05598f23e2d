import { batchFirst } from '../database/batch-rows.js';
import type { Statement } from '../database/database.js';
import { executionFrom, executionTo } from '../database/moves.js';

/**
 * Re-opens executions. Parameters, one array element each: $1 ids, $2 whether it goes on running at once.
 * Ids not returned: their state does not allow it.
 */
export const reopenExecutions: Statement = {
  name: 'reopen-executions',
  text: `
with moved as (
  update execution e
  set state = case when x.runs then ${executionTo('claim')} else ${executionTo('redrive')} end,
      seq = e.seq + case when x.runs then 3 else 1 end,
      starts = e.starts + case when x.runs then 1 else 0 end,
      error = null,
      fingerprint = null,
      finished_at = null
  from unnest($1::uuid[], $2::boolean[]) with ordinality x (id, runs, n)
  where ${batchFirst('x.n')}
    and e.id = x.id
    and e.state = ${executionFrom('redrive')}
  returning e.id, e.seq, x.runs
), marks as (
  delete from mark
  where execution_id = any ($1::uuid[])
    and fan_out_id = 0
), retention as (
  delete from timer
  where execution_id = any ($1::uuid[])
    and kind = 'retention'
)
insert into event (execution_id, seq, kind)
select id, case when runs then seq - 2 else seq end, case when runs then 'reopened_running' else 'reopened' end::event_kind
from moved
returning execution_id as id`,
};
