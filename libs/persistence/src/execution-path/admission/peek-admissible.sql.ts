import type { Statement } from '../../database/database.js';

/**
 * Roots with something to admit in a queue, to take their gates: those of fan-outs that can open more children, and those with tasks
 * that are due to come back. Of each kind at most $2, from $3 and $4 on, and round again: so whoever is many hides nobody for long.
 * Where one root has more due than is looked at first, roots are walked one by one.
 *
 * Parameters: $1 queue, $2 most of each kind, $3 the last root with a fan-out, $4 the last with what came back. \`back\`: of which kind.
 */
export const peekAdmissible: Statement = {
  name: 'peek-admissible',
  text: `
with recursive due as (
  select root_id
  from comeback
  where queue = $1
    and available_at <= now()
  order by available_at
  limit $2 * 20
), walk (root_id) as (
  select (select c.root_id from comeback c where c.queue = $1 and c.root_id > $4::uuid order by c.root_id limit 1)
  where (select count(*) from due) >= $2 * 20
  union all
  select (select c.root_id from comeback c where c.queue = $1 and c.root_id > walk.root_id order by c.root_id limit 1)
  from walk
  where walk.root_id is not null
), walked as (
  select root_id from walk where root_id is not null limit $2
), back as (
  select root_id from (select distinct root_id from due limit $2) first
  union
  select root_id from walked
)
(select f.root_id, false as back
 from fan_out_admission a
 join fan_out f on f.id = a.fan_out_id
 join fan_out_tally t on t.fan_out_id = a.fan_out_id
 where a.queue = $1
   and not a.done
   and not f.closed
   and (a.cursor < least(f.spawned, f.released) and (f.max_concurrency is null or a.opened - t.closed < f.max_concurrency)
        or f.sealed and a.cursor = f.spawned)
   and (not exists (select from mark where mark.root_id = f.root_id) or marked_children_of(f.parent_id, f.id) is null)
 group by f.root_id
 order by f.root_id > $3::uuid desc, f.root_id
 limit $2)
union all
(select root_id, true
 from back
 where not exists (select from mark m where m.execution_id = back.root_id and m.fan_out_id = 0 and m.kind <> 'release')
    or exists (select from mark m where m.root_id = back.root_id and m.kind = 'release')
 order by root_id > $4::uuid desc, root_id)`,
};
