import type { Statement } from '../../database/database.js';

/** Queues with hand-outs that nobody took, and whether somebody could. */
export const staleQueues: Statement = {
  name: 'stale-queues',
  text: `
select h.queue,
       exists (select from executor e where e.state = 'live' and h.queue = any (e.queues) and e.free_slots > 0) as free
from handout h
where h.next_check_at <= now()
group by h.queue`,
};
