import type { Statement } from '../../database/database.js';

/** Counts what a queue has ever been given, from which its pace is measured. $1 queue, $2 number. */
export const countAdmitted: Statement = {
  name: 'count-admitted',
  text: `
update queue
set admitted = admitted + $2
where name = $1`,
};
