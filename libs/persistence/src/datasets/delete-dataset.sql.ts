import type { Statement } from '../database/database.js';

/**
 * Removes a dataset.
 * $1 uuid. Guard: complete, not the engine's own, and no execution refers to it. Zero rows: there is none, or one does.
 */
export const deleteDataset: Statement = {
  name: 'delete-dataset',
  text: `
delete from dataset d
where d.id = $1
  and d.complete
  and not d.internal
  and not exists (select from dataset_use u where u.dataset_id = d.id)
returning d.id`,
};
