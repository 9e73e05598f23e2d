import type { Statement } from '../database/database.js';
import { executionFrom, executionTo } from '../database/moves.js';

/**
 * Re-opens one execution. $1 id, $2 whether it goes on running at once, $3 event kind, $4 further events after it.
 * Zero rows: its state does not allow it.
 */
export const reopenExecution: Statement = {
  name: 'reopen-execution',
  text: `
with moved as (
  update execution e
  set state = case when $2 then ${executionTo('claim')} else ${executionTo('redrive')} end,
      seq = e.seq + case when $2 then 3 else 1 end,
      starts = e.starts + case when $2 then 1 else 0 end,
      error = null,
      fingerprint = null,
      finished_at = null
  where e.id = $1
    and e.state = ${executionFrom('redrive')}
  returning e.id, e.seq
), mark_gone as (
  delete from mark
  where execution_id = $1
), retention as (
  delete from timer
  where execution_id = $1
    and kind = 'retention'
)
insert into event (execution_id, seq, kind)
select id, case when $2 then seq - 2 else seq end, case when $2 then 'reopened_running' else 'reopened' end::event_kind
from moved
returning execution_id`,
};
