import type { Statement } from '../../database/database.js';

/** Holders of each destination. $1 destinations. */
export const countHolders: Statement = {
  name: 'count-holders',
  text: `
select d.id, (select count(*)::integer from destination_holder h where h.destination_id = d.id) as held
from unnest($1::integer[]) d (id)`,
};
