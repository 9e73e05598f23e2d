import type { Statement } from '../database/database.js';

/**
 * Lets a destination's limits go. Calls that hold it go on.
 * $1 name. Zero rows: there is none.
 */
export const deleteDestination: Statement = {
  name: 'delete-destination',
  text: `
delete from destination
where name = $1
returning id`,
};
