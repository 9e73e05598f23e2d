import type { Statement } from '../../database/database.js';

/** $1 age in milliseconds, $2 most. */
export const findWaitingIntake: Statement = {
  name: 'find-waiting-intake',
  text: `
select execution_id
from intake
where at < now() - $1 * interval '1 millisecond'
  and (not exists (select from mark) or marked_lineage(execution_id) is null)
order by at
limit $2`,
};
