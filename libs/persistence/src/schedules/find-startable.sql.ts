import type { Statement } from '../database/database.js';

/** Schedules with an occurrence that waits and may go on; one that queues behind an open execution may not. $1 most. */
export const findStartable: Statement = {
  name: 'find-startable',
  text: `
select s.id
from (select distinct schedule_id from schedule_run where execution_id is null) w
join schedule s on s.id = w.schedule_id
where s.enabled
  and (s.overlap <> 'QUEUE' or not exists (
    select
    from schedule_run r
    join execution e on e.id = r.execution_id
    where r.schedule_id = s.id
      and e.state in ('pending', 'ready', 'running', 'paused')
  ))
order by s.id
limit $1`,
};
