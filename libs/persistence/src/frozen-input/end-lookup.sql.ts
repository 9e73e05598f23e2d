import type { Statement } from '../database/database.js';

/**
 * How an attempt of a look-up ended. $1 fan-out, $2 first index, $3 attempt, $4 state it enters, $5 charged attempts, $6 milliseconds
 * until it is due again, $7 answer (JSON text) or null, $8 failure (JSON text) or null.
 * Guard: the attempt is the one that was claimed last. Zero rows: somebody else has it, or it is gone.
 */
export const endLookup: Statement = {
  name: 'end-lookup',
  text: `
update frozen_batch
set state = $4,
    charged = $5,
    due_at = now() + $6 * interval '1 millisecond',
    answer = $7,
    error = $8
where fan_out_id = $1
  and first_index = $2
  and attempt = $3
  and state = 'running'`,
};
