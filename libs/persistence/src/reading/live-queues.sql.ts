import type { Statement } from '../database/database.js';

/** What live executors serve: queues, handlers, node types and free slots. Zero rows: none lives. */
export const liveQueues: Statement = {
  name: 'live-queues',
  text: `
select queues, handlers, node_types as "nodeTypes", free_slots as "freeSlots"
from executor
where state = 'live'`,
};
