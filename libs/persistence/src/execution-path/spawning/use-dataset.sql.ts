import type { Statement } from '../../database/database.js';

/** A dataset is in use by an execution and cannot be deleted. $1 dataset, $2 top-level execution. */
export const useDataset: Statement = {
  name: 'use-dataset',
  text: `
insert into dataset_use (dataset_id, execution_id)
values ($1, $2)
on conflict do nothing`,
};
