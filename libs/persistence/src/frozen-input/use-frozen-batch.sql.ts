import type { Statement } from '../database/database.js';

/** The answer belongs to the children that are spawned in this transaction. $1 fan-out, $2 first index, $3 JSON text of a list in item order. */
export const useFrozenBatch: Statement = {
  name: 'use-frozen-batch',
  text: `
update frozen_batch
set state = 'used',
    answer = $3
where fan_out_id = $1
  and first_index = $2
  and state = 'answered'`,
};
