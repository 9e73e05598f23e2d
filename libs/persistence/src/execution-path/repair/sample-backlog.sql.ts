import type { Statement } from '../../database/database.js';

/** One point of the backlog curve for every queue. */
export const sampleBacklog: Statement = {
  name: 'sample-backlog',
  text: `
insert into backlog_sample (at, queue, pending, ready, running)
select date_trunc('second', now()),
       q.name,
       coalesce((select sum(f.spawned - a.cursor)::integer from fan_out_admission a join fan_out f on f.id = a.fan_out_id
                 where a.queue = q.name and not a.done), 0)
         + coalesce((select count(*)::integer from comeback c where c.queue = q.name), 0),
       coalesce((select sum(h.size)::integer from handout h where h.queue = q.name), 0),
       coalesce((select sum(e.slots - e.free_slots)::integer from executor e where e.state = 'live' and q.name = any (e.queues)), 0)
from queue q
where q.name <> ''
on conflict do nothing`,
};
