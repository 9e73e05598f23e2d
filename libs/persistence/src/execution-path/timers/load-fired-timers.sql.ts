import type { Statement } from '../../database/database.js';

/** Timers that have fired and not taken effect. $1 executions. */
export const loadFiredTimers: Statement = {
  name: 'load-fired-timers',
  text: `
select execution_id, kind, node
from timer
where execution_id = any ($1::uuid[])
  and fired
order by id`,
};
