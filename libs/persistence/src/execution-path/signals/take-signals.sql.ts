import type { Statement } from '../../database/database.js';

/** Signals are taken by the nodes that waited for them. $1 signals. Returns how many were there. */
export const takeSignals: Statement = {
  name: 'take-signals',
  text: `
with taken as (
  delete from signal
  where id = any ($1::bigint[])
  returning id
)
select count(*)::integer as taken
from taken`,
};
