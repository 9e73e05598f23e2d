import type { Statement } from '../database/database.js';

/**
 * A trigger, new or with new terms. $1 name, $2 pipeline, $3 version or null, $4 queue, $5 exchange or null, $6 routing key or null,
 * $7 labels or null, $8 priority, $9 enabled. One row: whether it is new.
 */
export const putTrigger: Statement = {
  name: 'put-trigger',
  text: `
insert into trigger (name, pipeline, version, queue, exchange, routing_key, labels, priority, enabled)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (name) do update
set pipeline = excluded.pipeline,
    version = excluded.version,
    queue = excluded.queue,
    exchange = excluded.exchange,
    routing_key = excluded.routing_key,
    labels = excluded.labels,
    priority = excluded.priority,
    enabled = excluded.enabled,
    revision = trigger.revision + 1,
    last_error = null,
    updated_at = now()
returning revision = 1 as created`,
};
