import type { Statement } from '../database/database.js';

/** Forgets a look-up that came to nothing, so that a retry of the spawner asks again. $1 fan-out, $2 first index. */
export const dropFrozenBatch: Statement = {
  name: 'drop-frozen-batch',
  text: `
delete from frozen_batch
where fan_out_id = $1
  and first_index = $2
  and state in ('answered', 'failed')`,
};
