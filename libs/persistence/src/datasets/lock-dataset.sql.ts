import type { Statement } from '../database/database.js';

/**
 * Holds a dataset before it is removed, so that a use that is being written is seen by the statement after this one.
 * $1 uuid. Zero rows: there is none.
 */
export const lockDataset: Statement = {
  name: 'lock-dataset',
  text: `
select id
from dataset
where id = $1
  and complete
  and not internal
for update`,
};
