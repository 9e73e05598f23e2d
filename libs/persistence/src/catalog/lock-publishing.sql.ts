import type { Statement } from '../database/database.js';

/** Publishing is one at a time, as a definition is judged by the others it refers to. Held to the end of the transaction. */
export const lockPublishing: Statement = {
  name: 'lock-publishing',
  text: `
select pg_advisory_xact_lock(hashtextextended(current_schema || '/publish', 0))`,
};
