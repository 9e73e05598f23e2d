import type { Statement } from '../../database/database.js';

/** The oldest signal of a name is taken. $1 execution, $2 name. Zero rows: there is none. */
export const takeFirstSignal: Statement = {
  name: 'take-first-signal',
  text: `
delete from signal
where id = (select min(id) from signal where execution_id = $1 and name = $2)
returning id`,
};
