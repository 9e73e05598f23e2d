import type { Statement } from '../database/database.js';

/**
 * A dataset whose upload begins; nobody sees it before it is complete.
 * $1 uuid, $2 name, $3 format, $4 separator or null.
 */
export const insertDataset: Statement = {
  name: 'insert-dataset',
  text: `
insert into dataset (id, name, format, separator)
values ($1, $2, $3, $4)`,
};
