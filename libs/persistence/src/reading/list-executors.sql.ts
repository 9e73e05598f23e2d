import type { Statement } from '../database/database.js';

/**
 * Executor incarnations, newest first, with what they hold.
 * $1 int: before this id, null from the newest. $2 int: at most so many. $3 text[]: states, or null.
 */
export const listExecutors: Statement = {
  name: 'list-executors',
  text: `
select x.id, x.name, x.state, x.slots, x.free_slots as "freeSlots", x.queues, x.handlers, x.lease_ms as "leaseMs",
  x.heartbeat_ms as "heartbeatMs", x.host, x.started_at as "startedAt", x.seen_at as "seenAt", x.ended_at as "endedAt",
  (select coalesce(sum(cardinality(c.ids)), 0) from claim_batch c where c.incarnation = x.id) as running
from executor x
where ($1::int is null or x.id < $1)
  and ($3::text[] is null or x.state = any($3))
order by x.id desc
limit $2`,
};
