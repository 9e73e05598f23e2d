import type { Statement } from '../../database/database.js';

/** Destinations in force for a claim, locked in id order before their holders are counted. $1 names and `host:…` names. */
export const lockDestinations: Statement = {
  name: 'lock-destinations',
  text: `
select *
from destinations_in_force($1::text[], '{}')`,
};
