import type { Statement } from '../database/database.js';

/**
 * Takes a request key for one request.
 * $1 scope, $2 key, $3 bytea: hash of the request (empty while it is not known yet), $4 token of this claim,
 * $5 interval: how long the answer is kept, $6 interval: silence after which a claim's process counts as dead.
 * Guard: the key is new, its time is over, or it was claimed and its process has been silent since.
 * Zero rows: it is taken; look at it with find-idempotency-key.
 */
export const claimIdempotencyKey: Statement = {
  name: 'claim-idempotency-key',
  text: `
insert into idempotency_key as k (scope, key, request_hash, headers, claimed_at, expires_at)
values ($1, $2, $3, $4, now(), now() + $5::interval)
on conflict (scope, key) do update
set request_hash = excluded.request_hash,
  headers = excluded.headers,
  status = null,
  response = null,
  claimed_at = excluded.claimed_at,
  expires_at = excluded.expires_at
where k.expires_at < now()
  or (k.status is null and k.claimed_at < now() - $6::interval)
returning key`,
};
