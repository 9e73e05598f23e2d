import type { Statement } from '../database/database.js';

/** The hash of the body that came with a message id. $1 scope, $2 message id. */
export const findMessage: Statement = {
  name: 'find-message',
  text: `
select request_hash as "bodyHash"
from idempotency_key
where scope = $1
  and key = $2`,
};
