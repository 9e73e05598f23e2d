import type { Statement } from '../database/database.js';

/**
 * Chunks of a dataset from the one that holds an item on.
 * $1 uuid, $2 int: item index, $3 int: at most so many chunks. Zero rows: there is nothing from there on.
 */
export const readDatasetChunks: Statement = {
  name: 'read-dataset-chunks',
  text: `
select first_index as "firstIndex", item_count as "itemCount", body
from dataset_chunk
where dataset_id = $1
  and first_index >= coalesce(
    (select max(first_index) from dataset_chunk where dataset_id = $1 and first_index <= $2), 0)
  and first_index + item_count > $2
order by first_index
limit $3`,
};
