import type { Statement } from '../../database/database.js';

/** $1 name, $2 slots, $3 queues, $4 handlers, $5 lease and $6 heartbeat in milliseconds. */
export const registerExecutor: Statement = {
  name: 'register-executor',
  text: `
insert into executor (name, slots, free_slots, queues, handlers, lease_ms, heartbeat_ms)
values ($1, $2, $2, $3, $4, $5, $6)
returning id`,
};
