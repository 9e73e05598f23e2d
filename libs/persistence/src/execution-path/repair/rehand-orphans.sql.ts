import type { Statement } from '../../database/database.js';

/**
 * Ready tasks of one fan-out that no hand-out names: handed out again. Nothing should make any; one that is made all the same
 * would wait for ever. A second hand-out of a task is a no-op at the claim.
 * $1 fan-out, $2 most. Returns how many.
 */
export const rehandOrphans: Statement = {
  name: 'rehand-orphans',
  text: `
with orphans as (
  select t.execution_id, t.node
  from fan_out f
  join task t on t.execution_id between fan_out_first_child(f.root_id, f.id) and fan_out_last_child(f.root_id, f.id)
  where f.id = $1
    and t.state = 'ready'
    and not exists (
      select
      from handout h
      where h.root_id = f.root_id
        and h.node = t.node
        and (t.execution_id between h.first_id and h.last_id or t.execution_id = any (h.ids)))
  order by t.execution_id
  limit $2
), handed as (
  insert into handout (queue, root_id, parent_id, fan_out_id, version_id, child_path, node, ids, size, destinations)
  select coalesce(f.queue, 'default'), f.root_id, f.parent_id, f.id, f.child_version_id, f.child_path, o.node,
         array_agg(o.execution_id order by o.execution_id), count(*)::integer, f.destinations
  from orphans o
  join fan_out f on f.id = $1
  group by f.id, o.node
)
select count(*)::integer as n
from orphans`,
};
