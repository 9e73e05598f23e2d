import type { Statement } from '../database/database.js';

/**
 * Lets a claimed request key go: the request was refused and changed nothing.
 * $1 scope, $2 key, $3 token of the claim. Zero rows: it is no longer this claim's.
 */
export const releaseIdempotencyKey: Statement = {
  name: 'release-idempotency-key',
  text: `
delete from idempotency_key
where scope = $1
  and key = $2
  and status is null
  and headers = $3`,
};
