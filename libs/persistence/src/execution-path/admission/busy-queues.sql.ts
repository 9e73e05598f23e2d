import type { Statement } from '../../database/database.js';

/** Queues in which something waits to be admitted. */
export const busyQueues: Statement = {
  name: 'busy-queues',
  text: `
select a.queue from fan_out_admission a join fan_out f on f.id = a.fan_out_id where not a.done and not f.closed
union
select queue from comeback where available_at <= now()`,
};
