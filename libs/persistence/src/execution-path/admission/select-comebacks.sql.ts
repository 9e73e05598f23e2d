import type { Statement } from '../../database/database.js';

/**
 * Tasks that are due to be admitted again, locked, most urgent first; at most $4 of each root so that one root cannot
 * hide the others. Nodes of a top-level execution go by the longest way from them to an end. Paused and cancelled lineages stay where they are.
 *
 * Parameters: $1 queue, $2 roots whose gate the caller holds, $3 most rows, $4 most rows of one root.
 */
export const selectComebacks: Statement = {
  name: 'select-comebacks',
  text: `
select c.execution_id, c.node, c.root_id, c.parent_id, c.fan_out_id, c.version_id, c.child_path, c.priority, c.child,
       c.suspect, c.destinations, c.critical_path
from (
  select r.root_id
  from unnest($2::uuid[]) r (root_id)
) roots
cross join lateral (
  select *
  from comeback
  where queue = $1
    and root_id = roots.root_id
    and available_at <= now()
  order by available_at, critical_path desc
  limit $4
  for update skip locked
) c
where not exists (select from mark where mark.root_id = c.root_id)
   or marked_lineage(c.execution_id) is null
order by c.priority desc, case when c.fan_out_id is null then c.critical_path else 0 end desc, c.available_at, c.critical_path desc
limit $3`,
};
