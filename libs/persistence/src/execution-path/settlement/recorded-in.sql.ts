import type { Statement } from '../../database/database.js';

/** Executions of recorded batches, left where they are. $1 batches. */
export const recordedIn: Statement = {
  name: 'recorded-in',
  text: `
select distinct unnest(ids) as id
from recorded_batch
where id = any ($1::bigint[])
order by 1`,
};
