import type { Statement } from '../../database/database.js';

/** Removes an internal list with its chunks. $1 list. */
export const dropList: Statement = {
  name: 'drop-list',
  text: `
delete from dataset
where id = $1
  and internal`,
};
