import type { Statement } from '../../database/database.js';

/** Creates an internal list. $1 id, $2 name, $3 number of items, $4 whether it is complete. */
export const createList: Statement = {
  name: 'create-list',
  text: `
insert into dataset (id, name, format, item_count, complete, internal)
values ($1, $2, 'json', $3, $4, true)
on conflict (id) do nothing`,
};
