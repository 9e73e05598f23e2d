import type { Statement } from '../database/database.js';

/**
 * Stores the answer of a claimed request key.
 * $1 scope, $2 key, $3 token of the claim, $4 status, $5 text of the answer, $6 bytea: hash of the request.
 * Guard: the claim is still this one. Zero rows: it was taken over; the effect must not be committed.
 */
export const completeIdempotencyKey: Statement = {
  name: 'complete-idempotency-key',
  text: `
update idempotency_key
set status = $4,
  response = $5,
  request_hash = $6,
  headers = null
where scope = $1
  and key = $2
  and status is null
  and headers = $3
returning key`,
};
