import type { Statement } from '../../database/database.js';
import { executionFrom, executionTo, taskTo } from '../../database/moves.js';

/**
 * Admits the children of one fan-out from its admission cursor on, in item order: pending -> ready, the task row is born,
 * and the hand-outs are written. A child that is paused or cancelled is passed over; it comes back by `comeback`.
 *
 * Parameters: $1 fan-out, $2 first and $3 last child id of the range, $4 node of the task, $5 where the cursor is,
 * $6 where it goes, $7 first ids, $8 last ids and $9 sizes of the hand-outs, $10 whether nothing more will come.
 * Guard: the cursor is still at $5 (its row is locked by select-admissible). Zero rows: nothing has changed.
 */
export const admitChildren: Statement = {
  name: 'admit-children',
  text: `
with moved as (
  update execution e
  set state = ${executionTo('admit')},
      seq = e.seq + 1
  where e.id between $2 and $3
    and e.state = ${executionFrom('admit')}
    and exists (select from fan_out_admission where fan_out_id = $1 and cursor = $5)
  returning e.id, e.seq
), facts as (
  insert into event (execution_id, seq, kind)
  select id, seq, 'ready'
  from moved
), born as (
  insert into task (execution_id, node, state)
  select id, $4, ${taskTo('admit')}
  from moved
  on conflict (execution_id, node, shard) do update set state = excluded.state
), cursor_moved as (
  update fan_out_admission
  set cursor = $6,
      opened = opened + (select count(*)::integer from moved),
      done = $10
  where fan_out_id = $1
    and cursor = $5
  returning fan_out_id
)
insert into handout (queue, root_id, parent_id, fan_out_id, version_id, child_path, node, first_id, last_id, size, destinations)
select f.queue, f.root_id, f.parent_id, f.id, f.child_version_id, f.child_path, $4, x.first_id, x.last_id, x.size, f.destinations
from cursor_moved
join fan_out f on f.id = cursor_moved.fan_out_id
cross join unnest($7::uuid[], $8::uuid[], $9::integer[]) x (first_id, last_id, size)
returning id, queue, root_id, parent_id, fan_out_id, version_id, child_path, node, first_id, last_id, size, destinations`,
};
