import type { Statement } from '../../database/database.js';
import { executionFrom, executionTo } from '../../database/moves.js';

/**
 * Admits children whose first node no executor performs: pending -> ready, and the ids go to intake to be laid out.
 *
 * Parameters: $1 fan-out, $2 first and $3 last child id of the range, $4 where the cursor is, $5 where it goes,
 * $6 whether nothing more will come. Guard and zero rows: as admit-children.
 */
export const handToIntake: Statement = {
  name: 'hand-to-intake',
  text: `
with moved as (
  update execution e
  set state = ${executionTo('admit')},
      seq = e.seq + 1
  where e.id between $2 and $3
    and e.state = ${executionFrom('admit')}
    and exists (select from fan_out_admission where fan_out_id = $1 and cursor = $4)
  returning e.id, e.seq
), facts as (
  insert into event (execution_id, seq, kind)
  select id, seq, 'ready'
  from moved
), cursor_moved as (
  update fan_out_admission
  set cursor = $5,
      opened = opened + (select count(*)::integer from moved),
      done = $6
  where fan_out_id = $1
    and cursor = $4
)
insert into intake (execution_id)
select id
from moved
on conflict do nothing
returning execution_id as id`,
};
