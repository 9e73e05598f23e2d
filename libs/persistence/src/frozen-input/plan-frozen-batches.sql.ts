import type { Statement } from '../database/database.js';

/**
 * Asks for look-ups of a fan-out's items. $1 fan-out, $2 first indexes, $3 counts, $4 queue, $5 handler or null.
 * Guard: a batch is asked for once, by its key.
 */
export const planFrozenBatches: Statement = {
  name: 'plan-frozen-batches',
  text: `
insert into frozen_batch (fan_out_id, first_index, item_count, queue, handler)
select $1, first_index, item_count, $4, $5
from unnest($2::integer[], $3::integer[]) x (first_index, item_count)
on conflict do nothing`,
};
