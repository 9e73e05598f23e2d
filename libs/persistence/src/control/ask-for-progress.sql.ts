import type { Statement } from '../database/database.js';

/** Executions to be looked at by settlement, as if something of them had been recorded. $1 executions, at least one. */
export const askForProgress: Statement = {
  name: 'ask-for-progress',
  text: `
insert into recorded_batch (ids, nodes)
select $1::uuid[], array_fill(-1::smallint, array[cardinality($1::uuid[])])
returning id`,
};
