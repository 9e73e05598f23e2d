import type { Statement } from '../database/database.js';

/**
 * Takes the id of a message for the execution that it starts, in the transaction of the start. $1 scope, $2 message id, $3 hash of the
 * body, $4 execution, $5 milliseconds it is remembered.
 * Guard: the id is new, or was forgotten. Zero rows: it is known; another transaction that has just taken it has ended by then.
 */
export const claimMessage: Statement = {
  name: 'claim-message',
  text: `
insert into idempotency_key as k (scope, key, request_hash, status, response, expires_at)
values ($1, $2, $3, 201, $4, now() + $5 * interval '1 millisecond')
on conflict (scope, key) do update
set request_hash = excluded.request_hash,
    response = excluded.response,
    claimed_at = now(),
    expires_at = excluded.expires_at
where k.expires_at < now()
returning key`,
};
