import type { Statement } from '../../database/database.js';

/** Signals that no node has taken, in the order in which they came. $1 executions. */
export const loadSignals: Statement = {
  name: 'load-signals',
  text: `
select id, execution_id, name, body
from signal
where execution_id = any ($1::uuid[])
order by id`,
};
