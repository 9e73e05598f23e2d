import type { Statement } from '../../database/database.js';

/** The borders of chunks from an item on, without their bodies. $1 list, $2 item index, $3 most chunks. */
export const chunkBorders: Statement = {
  name: 'chunk-borders',
  text: `
select first_index, item_count
from dataset_chunk
where dataset_id = $1
  and first_index + item_count > $2
order by first_index
limit $3`,
};
