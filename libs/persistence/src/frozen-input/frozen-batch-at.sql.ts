import type { Statement } from '../database/database.js';

/** The look-up that begins at an item. $1 fan-out, $2 item index. Zero rows: it was not asked for. */
export const frozenBatchAt: Statement = {
  name: 'frozen-batch-at',
  text: `
select first_index as "firstIndex", item_count as "itemCount", state, answer, error
from frozen_batch
where fan_out_id = $1
  and first_index = $2`,
};
