import type { Statement } from '../database/database.js';

/** Occurrences of a held schedule, oldest first; of those that were started whether their execution is open. $1 schedule. */
export const runsOfSchedule: Statement = {
  name: 'runs-of-schedule',
  text: `
select r.due_at as "dueAt",
       r.execution_id as "executionId",
       e.state in ('pending', 'ready', 'running', 'paused') as open
from schedule_run r
left join execution e on e.id = r.execution_id
where r.schedule_id = $1
order by r.due_at`,
};
