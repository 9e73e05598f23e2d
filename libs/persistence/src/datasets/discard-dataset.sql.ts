import type { Statement } from '../database/database.js';

/**
 * Removes what a refused upload has written.
 * $1 uuid. Guard: it is not complete.
 */
export const discardDataset: Statement = {
  name: 'discard-dataset',
  text: `
delete from dataset
where id = $1
  and not complete`,
};
