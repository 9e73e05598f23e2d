import type { Statement } from '../database/database.js';

/** An execution and everything above it, nearest first, locked from the root down by lock-lineage before. $1 execution. */
export const readLineage: Statement = {
  name: 'read-lineage',
  text: `
with recursive line (id, level) as (
  select $1::uuid, 0
  union all
  select f.parent_id, line.level + 1
  from line
  join execution e on e.id = line.id
  join fan_out f on f.id = e.fan_out_id
)
select e.id, e.seq, e.state, e.fan_out_id, e.business_key, e.version_id, line.level,
       f.node as spawner, f.merge_node, f.verdict, f.verdict_reason, f.round, f.generation, f.sealed, f.closed,
       (select m.kind from mark m where m.execution_id = e.id and m.fan_out_id = 0) as mark,
       f.parent_id,
       (select m.kind from mark m where m.execution_id = f.parent_id and m.fan_out_id = f.id) as fan_out_mark
from line
join execution e on e.id = line.id
left join fan_out f on f.id = e.fan_out_id
order by line.level`,
};
