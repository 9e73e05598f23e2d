import type { Statement } from '../database/database.js';
import { fanOutColumns, fanOutJoins } from './fan-out-columns.js';

/**
 * Fan-outs whose parents lie in given ranges of ids: one level further down.
 * $1 uuid[]: first ids, $2 uuid[]: last ids, in step.
 */
export const listFanOutsInRanges: Statement = {
  name: 'list-fan-outs-in-ranges',
  text: `
select ${fanOutColumns}
from unnest($1::uuid[], $2::uuid[]) as range(first_id, last_id)
join fan_out f on f.parent_id between range.first_id and range.last_id
${fanOutJoins}`,
};
