import type { Statement } from '../database/database.js';

/** What time it is, by the only clock that counts. */
export const databaseTime: Statement = {
  name: 'database-time',
  text: `
select clock_timestamp() as now`,
};
