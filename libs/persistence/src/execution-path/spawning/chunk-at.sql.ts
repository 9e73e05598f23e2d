import type { Statement } from '../../database/database.js';

/** The chunk that holds an item. $1 list, $2 item index. Zero rows: the list ends before it. */
export const chunkAt: Statement = {
  name: 'chunk-at',
  text: `
select first_index, item_count, body
from dataset_chunk
where dataset_id = $1
  and first_index <= $2
order by first_index desc
limit 1`,
};
