import type { Statement } from '../database/database.js';

/**
 * What is known of a request key.
 * $1 scope, $2 key. Zero rows: it has been let go meanwhile.
 */
export const findIdempotencyKey: Statement = {
  name: 'find-idempotency-key',
  text: `
select request_hash as "requestHash", status, response
from idempotency_key
where scope = $1
  and key = $2
  and expires_at >= now()`,
};
