import type { Statement } from '../../database/database.js';

/** The same for calls that find out where they go. $1 destinations. */
export const lockForCall: Statement = {
  name: 'lock-destinations-for-call',
  text: `
select *
from destinations_in_force('{}', $1::integer[])`,
};
