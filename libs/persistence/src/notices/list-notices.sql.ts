import type { Statement } from '../database/database.js';

/** Notices of one execution in the order of its outcomes. $1 execution, $2 and $3 round and hook to begin behind, $4 most. */
export const listNotices: Statement = {
  name: 'list-notices',
  text: `
select round,
       hook,
       outcome,
       at,
       state,
       attempt,
       case when state in ('pending', 'running') then due_at end as "dueAt",
       delivery_error as error,
       ended_at as "endedAt"
from notice
where execution_id = $1
  and (round, hook) > ($2::integer, $3::integer)
order by round, hook
limit $4`,
};
