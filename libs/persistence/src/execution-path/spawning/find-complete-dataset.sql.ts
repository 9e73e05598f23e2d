import type { Statement } from '../../database/database.js';

export const findCompleteDataset: Statement = {
  name: 'find-complete-dataset',
  text: `
select id, item_count, complete
from dataset
where id = $1
  and complete`,
};
