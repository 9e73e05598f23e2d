import type { Statement } from '../database/database.js';

/** How many chunks one statement writes at most: about 512 KiB. */
export const chunksPerInsert = 2;

/**
 * Chunks of a dataset that is being uploaded, as many as the statement is made for.
 * $1 uuid: dataset, then for each chunk: int first index, int number of items, text body.
 * A chunk is bound to its dataset by a foreign key: an upload that was swept away fails here.
 */
export function insertDatasetChunks(count: number): Statement {
  return statements[count - 1]!;
}

const statements: readonly Statement[] = Array.from({ length: chunksPerInsert }, (_, n) => ({
  name: `insert-dataset-chunks-${n + 1}`,
  text: `
insert into dataset_chunk (dataset_id, first_index, item_count, body)
values ${Array.from({ length: n + 1 }, (__, i) => `($1, $${i * 3 + 2}, $${i * 3 + 3}, $${i * 3 + 4})`).join(', ')}`,
}));
