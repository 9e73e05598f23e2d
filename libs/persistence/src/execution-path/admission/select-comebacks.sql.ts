import type { Statement } from '../../database/database.js';

/**
 * Tasks that are due to be admitted again, locked; at most $4 of each root, and of roots in turns by their priority, so that one root
 * cannot hide the others. Nodes of a top-level execution go by the longest way from them to an end. Paused and cancelled lineages stay where they
 * are; fan-outs that are held are passed over first, so that what waits there by the thousand hides nothing, and a released child is taken
 * out of them.
 *
 * Parameters: $1 queue, $2 roots whose gate the caller holds, $3 most rows, $4 most rows of one root.
 */
export const selectComebacks: Statement = {
  name: 'select-comebacks',
  text: `
with marked as materialized (
  select distinct root_id
  from mark
  where root_id = any ($2::uuid[])
), held as (
  select h.fan_out_id
  from marked
  cross join lateral (
    select distinct c.fan_out_id, c.parent_id
    from comeback c
    where c.queue = $1
      and c.root_id = marked.root_id
      and c.fan_out_id is not null
  ) h
  where marked_children_of(h.parent_id, h.fan_out_id) is not null
)
select c.execution_id, c.node, c.root_id, c.parent_id, c.fan_out_id, c.version_id, c.child_path, c.priority, c.child,
       c.suspect, c.destinations, c.critical_path, c.released
from (
  select r.root_id
  from unnest($2::uuid[]) r (root_id)
) roots
cross join lateral (
  select b.*,
         exists (select from mark where mark.execution_id = b.execution_id and mark.fan_out_id = 0 and mark.kind = 'release') as released
  from comeback b
  where b.queue = $1
    and b.root_id = roots.root_id
    and b.available_at <= now()
    and (b.fan_out_id is null
         or b.fan_out_id not in (select fan_out_id from held)
         or exists (select from mark where mark.execution_id = b.execution_id and mark.fan_out_id = 0 and mark.kind = 'release'))
    and not exists (select from mark where mark.execution_id = b.execution_id and mark.fan_out_id = 0 and mark.kind <> 'release')
  order by b.available_at, b.critical_path desc
  limit $4
  for update skip locked
) c
where not exists (select from mark where mark.root_id = c.root_id)
   or marked_lineage(c.execution_id) is null
order by row_number() over (
           partition by c.root_id
           order by case when c.fan_out_id is null then c.critical_path else 0 end desc, c.available_at, c.critical_path desc
         )::float8 / (1 + c.priority),
         c.available_at
limit $3`,
};
