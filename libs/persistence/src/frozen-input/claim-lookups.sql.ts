import type { Statement } from '../database/database.js';
import { isFreeSpawner } from '../execution-path/spawning/free-spawner.fragment.js';

/**
 * Takes look-ups, with the gates of their roots held. $1 fan-outs, $2 first indexes, $3 milliseconds they belong to the claimer.
 *
 * Guard: due still, and nothing in the lineage is marked, nor the fan-out itself. The attempt is the fencing token. One whose claimer is gone was
 * charged.
 */
export const claimLookups: Statement = {
  name: 'claim-lookups',
  text: `
with due as (
  select b.fan_out_id, b.first_index
  from unnest($1::bigint[], $2::integer[]) x (fan_out_id, first_index)
  join frozen_batch b on b.fan_out_id = x.fan_out_id and b.first_index = x.first_index
  where b.state in ('pending', 'running')
    and b.due_at <= now()
  order by b.fan_out_id, b.first_index
  for update of b skip locked
), taken as (
  update frozen_batch b
  set attempt = b.attempt + 1,
      charged = b.charged + case when b.state = 'running' then 1 else 0 end,
      state = 'running',
      due_at = now() + $3 * interval '1 millisecond'
  from due, fan_out f
  where b.fan_out_id = due.fan_out_id
    and b.first_index = due.first_index
    and f.id = due.fan_out_id
    and not f.closed
    and ${isFreeSpawner('f')}
  returning b.*
)
select t.fan_out_id as "fanOutId",
       t.first_index as "firstIndex",
       t.item_count as "itemCount",
       t.attempt,
       t.charged,
       f.node,
       f.list_id as "listId",
       f.root_id as "rootId",
       p.id as "parentId",
       p.version_id as "versionId",
       p.input,
       coalesce(p.labels, '{}') as labels,
       g.parent_id as "grandparentId",
       coalesce(g.child_path, '{}') as path
from taken t
join fan_out f on f.id = t.fan_out_id
join execution p on p.id = f.parent_id
left join fan_out g on g.id = p.fan_out_id`,
};
