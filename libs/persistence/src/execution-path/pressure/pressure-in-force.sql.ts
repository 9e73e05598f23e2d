import type { Statement } from '../../database/database.js';

/** Pressure that is in force, one row for a kind. */
export const pressureInForce: Statement = {
  name: 'pressure-in-force',
  text: `
select distinct on (kind) kind, since, detail
from pressure
where until is null
   or until > now()
order by kind, since`,
};
