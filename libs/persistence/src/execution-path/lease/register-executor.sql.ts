import type { Statement } from '../../database/database.js';

/** $1 name, $2 slots, $3 queues, $4 handlers, $5 lease and $6 heartbeat in milliseconds, $7 node types it performs. */
export const registerExecutor: Statement = {
  name: 'register-executor',
  text: `
insert into executor (name, slots, free_slots, queues, handlers, lease_ms, heartbeat_ms, node_types)
values ($1, $2, $2, $3, $4, $5, $6, $7)
returning id`,
};
