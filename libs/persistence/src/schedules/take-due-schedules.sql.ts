import type { Statement } from '../database/database.js';

/** Schedules with an occurrence that is due, held: nobody else counts theirs meanwhile. $1 most. */
export const takeDueSchedules: Statement = {
  name: 'take-due-schedules',
  text: `
select s.id,
       s.name,
       s.cron,
       s.time_zone as "timeZone",
       s.missed,
       s.missed_limit as "missedLimit",
       s.next_at as "nextAt",
       now() as now,
       (select count(*)::integer from schedule_run r where r.schedule_id = s.id and r.execution_id is null) as waiting
from schedule s
where s.enabled
  and s.next_at <= now()
order by s.next_at
limit $1
for update of s skip locked`,
};
