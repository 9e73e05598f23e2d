import type { Statement } from '../database/database.js';

/**
 * Says that the process behind claimed request keys lives.
 * $1 text[] scopes, $2 text[] keys, $3 text[] tokens, in step. Rows of other claims are left alone.
 */
export const renewIdempotencyKeys: Statement = {
  name: 'renew-idempotency-keys',
  text: `
update idempotency_key k
set claimed_at = now()
from unnest($1::text[], $2::text[], $3::text[]) as c(scope, key, token)
where k.scope = c.scope
  and k.key = c.key
  and k.headers = c.token
  and k.status is null`,
};
