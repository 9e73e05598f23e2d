import type { Statement } from '../database/database.js';

/** An execution to be looked at by settlement, as if something of it had been recorded. $1 execution. */
export const askForProgress: Statement = {
  name: 'ask-for-progress',
  text: `
insert into recorded_batch (ids, nodes)
values (array[$1::uuid], array[0::smallint])
returning id`,
};
