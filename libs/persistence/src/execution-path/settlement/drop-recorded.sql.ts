import type { Statement } from '../../database/database.js';

/** $1 batches. */
export const dropRecorded: Statement = {
  name: 'drop-recorded',
  text: `
delete from recorded_batch
where id = any ($1::bigint[])`,
};
