import type { Statement } from '../database/database.js';

/** Locks a lineage from the root down, then its control rows. $1 executions, root first. */
export const lockLineage: Statement = {
  name: 'lock-lineage',
  text: `
select e.id
from unnest($1::uuid[]) with ordinality x (id, n)
join execution e on e.id = x.id
order by x.n
for update of e`,
};
