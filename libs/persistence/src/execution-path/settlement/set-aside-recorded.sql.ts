import type { Statement } from '../../database/database.js';

/**
 * Batches are settled but for these executions, which stand back behind all others in a batch of their own.
 * $1 batches, $2 executions, $3 milliseconds.
 */
export const setAsideRecorded: Statement = {
  name: 'set-aside-recorded',
  text: `
with gone as (
  delete from recorded_batch
  where id = any ($1::bigint[])
)
insert into recorded_batch (ids, nodes, at)
select array[x.id], array[-1::smallint], now() + $3 * interval '1 millisecond'
from unnest($2::uuid[]) x (id)`,
};
