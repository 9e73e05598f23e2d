import type { Statement } from '../database/database.js';

/**
 * How an attempt to deliver a notice ended. $1 execution, $2 round, $3 hook, $4 attempt, $5 state it enters, $6 charged attempts,
 * $7 milliseconds until it is due again, $8 failure (JSON text) or null.
 * Guard: the attempt is the one that was claimed last. Zero rows: somebody else has it, or it is gone.
 */
export const endDelivery: Statement = {
  name: 'end-delivery',
  text: `
update notice
set state = $5,
    charged = $6,
    due_at = now() + $7 * interval '1 millisecond',
    delivery_error = $8,
    ended_at = case when $5 in ('delivered', 'failed') then now() end
where execution_id = $1
  and round = $2
  and hook = $3
  and attempt = $4
  and state = 'running'`,
};
