import type { Statement } from '../../database/database.js';

/** Timers that are due, without retention, and the roots whose gate they pass. $1 most. */
export const findDueTimers: Statement = {
  name: 'find-due-timers',
  text: `
select id, root_id
from timer
where not held
  and not fired
  and due_at <= now()
  and kind <> 'retention'
order by due_at
limit $1`,
};
