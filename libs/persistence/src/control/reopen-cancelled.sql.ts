import type { Statement } from '../database/database.js';

/**
 * A redrive of a fan-out that was cancelled: nothing of it is being cancelled any more. $1 fan-out, $2 whether it is taken back
 * as a whole: its spawner goes on.
 */
export const reopenCancelled: Statement = {
  name: 'reopen-cancelled',
  text: `
with unmarked as (
  delete from mark
  where execution_id = (select parent_id from fan_out where id = $1)
    and fan_out_id = $1
    and kind = 'cancel'
)
update fan_out
set cancelled_at = null,
    closed = false,
    moved_at = now() - interval '1 minute'
where id = $1
  and $2
  and cancelled_at is not null
  and verdict = 'open'`,
};
