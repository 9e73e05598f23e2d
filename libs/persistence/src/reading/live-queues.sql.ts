import type { Statement } from '../database/database.js';

/** What live executors serve: queues, handlers and free slots. Zero rows: none lives. */
export const liveQueues: Statement = {
  name: 'live-queues',
  text: `
select queues, handlers, free_slots as "freeSlots"
from executor
where state = 'live'`,
};
