import type { Statement } from '../database/database.js';

/** A new pause holds what an earlier one had released. $1 root, $2 execution, $3 fan-out of it (0: all of them). */
export const dropReleasesBelow: Statement = {
  name: 'drop-releases-below',
  text: `
delete from mark m
where m.root_id = $1
  and m.kind = 'release'
  and exists (
    with recursive line (fan_out_id, parent_id) as (
      select f.id, f.parent_id
      from execution e
      join fan_out f on f.id = e.fan_out_id
      where e.id = m.execution_id
      union all
      select f.id, f.parent_id
      from line
      join execution p on p.id = line.parent_id
      join fan_out f on f.id = p.fan_out_id
    )
    select
    from line
    where parent_id = $2
      and ($3::bigint = 0 or fan_out_id = $3)
  )`,
};
