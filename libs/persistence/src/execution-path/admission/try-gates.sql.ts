import type { Statement } from '../../database/database.js';

/**
 * Passes through gates if nobody holds any of them alone. It waits for none: the caller has locked rows, and whoever holds a gate
 * alone may be waiting for those. A statement of its own, so that the next one sees the marks. $1 roots, ascending.
 */
export const tryGates: Statement = {
  name: 'try-gates',
  text: `
select bool_and(pg_try_advisory_xact_lock_shared(hashtextextended(current_schema || x.id, 0))) as open
from unnest($1::text[]) x (id)`,
};
