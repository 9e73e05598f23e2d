import type { Statement } from '../../database/database.js';

/** Queues in which something waits to be admitted. */
export const busyQueues: Statement = {
  name: 'busy-queues',
  text: `
select queue from fan_out_admission where not done
union
select queue from comeback where available_at <= now()`,
};
