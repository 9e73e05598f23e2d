import type { Statement } from '../database/database.js';
import { hasPlace } from '../execution-path/open-child.fragment.js';
import { executionFrom, executionTo } from '../database/moves.js';
import { cutAttempts, cutFacts, endedBelow } from './ended-execution.fragment.js';

/**
 * Cancels open children of one fan-out, their tasks and what would come back, and counts them. Their rows are locked by
 * lock-victims before, so that a task that was just born is seen.
 * Parameters: $1 fan-out, $2 children, $3 cause (JSON text). The fan-outs of cancelled children close.
 * Returns how many were cancelled, and the last id.
 */
export const cancelChildren: Statement = {
  name: 'cancel-children',
  text: `
with victims as (
  select id, state, ${hasPlace('execution')} as open
  from execution
  where id = any ($2::uuid[])
    and state = ${executionFrom('cancel')}
), moved as (
  update execution e
  set state = ${executionTo('cancel')},
      seq = e.seq + 1 + ${cutAttempts('e.id')},
      error = $3,
      finished_at = now()
  from victims v
  where e.id = v.id
  returning e.id, e.seq, v.state as from_state, v.open
), ${cutFacts('$3')}, facts as (
  insert into event (execution_id, seq, kind, data)
  select id, seq, 'cancelled', '{"error":' || $3 || '}'
  from moved
), ${endedBelow}, tally as (
  update fan_out_tally t
  set cancelled = t.cancelled + x.cancelled,
      paused = t.paused - x.paused,
      closed = t.closed + x.opened
  from (select count(*)::integer as cancelled,
               (count(*) filter (where from_state = 'paused'))::integer as paused,
               (count(*) filter (where open))::integer as opened
        from moved) x
  where t.fan_out_id = $1
), due as (
  insert into fan_out_due (fan_out_id)
  select $1
  where exists (select from moved)
  on conflict do nothing
)
select (select count(*)::integer from moved) as cancelled,
       (select max(id::text) from moved) as last_id`,
};
