import type { Statement } from '../database/database.js';

/** What holds the children of a fan-out. $1 its parent, $2 fan-out. */
export const markOfChildren: Statement = {
  name: 'mark-of-children',
  text: `
select marked_children_of($1, $2) as mark`,
};
