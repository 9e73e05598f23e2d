import type { Statement } from '../../database/database.js';

/**
 * Passes through the gates that nobody holds alone, without waiting for the others: one root in the hands of a bulk command delays nobody
 * else. A statement of its own, so that the next one sees the marks. $1 roots. Returns those whose gate was passed.
 */
export const openGates: Statement = {
  name: 'open-gates',
  text: `
select x.id
from unnest($1::text[]) x (id)
where pg_try_advisory_xact_lock_shared(hashtextextended(current_schema || x.id, 0))`,
};
