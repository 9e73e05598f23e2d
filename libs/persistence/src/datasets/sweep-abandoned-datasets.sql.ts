import type { Statement } from '../database/database.js';

/**
 * Removes what uploads have left whose process died.
 * $1 interval: untouched for. $2 int: at most so many. Zero rows: there is none.
 */
export const sweepAbandonedDatasets: Statement = {
  name: 'sweep-abandoned-datasets',
  text: `
delete from dataset
where id in (
  select id
  from dataset
  where not complete
    and not internal
    and touched_at < now() - $1::interval
  limit $2
  for update skip locked
)`,
};
