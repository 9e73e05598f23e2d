import type { Statement } from '../../database/database.js';

/** Whether a live executor of a queue has a handler. $1 queue, $2 handler. Always one row. */
export const handlerServes: Statement = {
  name: 'handler-serves',
  text: `
select exists (
  select from executor
  where state = 'live'
    and $1 = any (queues)
    and $2 = any (handlers)
) as serves`,
};
