import type { Statement } from '../../database/database.js';

/**
 * Signals that no node has taken, in the order in which they came; none of those that came under a pause, which are taken when it
 * is over. $1 executions.
 */
export const loadSignals: Statement = {
  name: 'load-signals',
  text: `
select id, execution_id, name, body
from signal
where execution_id = any ($1::uuid[])
  and (not exists (select from mark) or marked_lineage(execution_id) is null)
order by id`,
};
