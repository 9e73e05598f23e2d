import type { Statement } from '../../database/database.js';

/** Recorded batches that lie about: the work of the unsettled sweep. $1 age in milliseconds, $2 most batches. */
export const findUnsettled: Statement = {
  name: 'find-unsettled',
  text: `
select id
from recorded_batch
where at < now() - $1 * interval '1 millisecond'
order by id
limit $2`,
};
