import type { Statement } from '../database/database.js';

/**
 * Removes request keys whose time is over.
 * $1 int: at most so many. Zero rows: none is left.
 */
export const expireIdempotencyKeys: Statement = {
  name: 'expire-idempotency-keys',
  text: `
delete from idempotency_key
where (scope, key) in (
  select scope, key
  from idempotency_key
  where expires_at < now()
  limit $1
  for update skip locked
)`,
};
