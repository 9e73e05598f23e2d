import type { Statement } from '../database/database.js';

/**
 * Datasets, newest first (their ids grow with time).
 * $1 uuid: before this id, null from the newest. $2 text: only of this name, or null. $3 int: at most so many.
 */
export const listDatasets: Statement = {
  name: 'list-datasets',
  text: `
select id, name, format, columns, separator, item_count as "itemCount", bytes, sha256, created_at as "createdAt"
from dataset
where complete
  and not internal
  and ($1::uuid is null or id < $1)
  and ($2::text is null or name = $2)
order by id desc
limit $3`,
};
