import type { Statement } from '../database/database.js';
import { executionFrom, executionTo } from '../database/moves.js';

/** Resumes one execution to where it was. $1 execution, $2 whether it had started. Zero rows: it is not paused. */
export const resumeExecution: Statement = {
  name: 'resume-execution',
  text: `
with moved as (
  update execution e
  set state = case when $2 then ${executionTo('resume_started')} else ${executionTo('resume_unstarted')} end,
      seq = e.seq + 1
  where e.id = $1
    and e.state = ${executionFrom('resume_started')}
  returning e.id, e.seq, e.fan_out_id
), facts as (
  insert into event (execution_id, seq, kind)
  select id, seq, 'resumed'
  from moved
), tally as (
  update fan_out_tally t
  set paused = t.paused - 1
  from moved
  where t.fan_out_id = moved.fan_out_id
)
select id
from moved`,
};
