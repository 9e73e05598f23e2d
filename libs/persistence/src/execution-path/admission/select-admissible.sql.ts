import type { Statement } from '../../database/database.js';

/**
 * Fan-outs of a queue with children that may be admitted, their admission rows locked. What somebody else is admitting,
 * what is paused or cancelled at any height, and what is closed is left out.
 *
 * Parameters: $1 queue, $2 roots whose gate the caller holds, $3 most fan-outs, $4 the last one of the turn before, where there were more.
 */
export const selectAdmissible: Statement = {
  name: 'select-admissible',
  text: `
select a.fan_out_id,
       a.cursor,
       a.opened,
       a.backlogged,
       f.root_id,
       f.parent_id,
       f.priority,
       f.spawned,
       f.released,
       f.sealed,
       f.max_concurrency,
       f.child_node,
       f.destinations,
       t.closed
from fan_out_admission a
join fan_out f on f.id = a.fan_out_id
join fan_out_tally t on t.fan_out_id = a.fan_out_id
where a.queue = $1
  and not a.done
  and not f.closed
  and f.root_id = any ($2::uuid[])
  and (not exists (select from mark where mark.root_id = f.root_id) or marked_children_of(f.parent_id, f.id) is null)
  and not exists (select from control c where c.fan_out_id = f.id and c.kind = 'fail_fast' and c.round = f.round)
  and (a.cursor < least(f.spawned, f.released) and (f.max_concurrency is null or a.opened - t.closed < f.max_concurrency)
       or f.sealed and a.cursor = f.spawned)
order by a.fan_out_id > $4 desc, a.fan_out_id
limit $3
for update of a skip locked`,
};
