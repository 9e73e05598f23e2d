import type { Statement } from '../../database/database.js';

/** Children of each root that are started and not settled, over 200 of its open fan-outs: of these roots, and of those that have tasks handed out. $1 roots, $2 queue. */
export const rootLoads: Statement = {
  name: 'root-loads',
  text: `
select r.root_id as root,
       coalesce((
         select sum(greatest(0, a.opened - t.closed))
         from (select id from fan_out where root_id = r.root_id and not all_succeeded limit 200) f
         join fan_out_admission a on a.fan_out_id = f.id
         join fan_out_tally t on t.fan_out_id = f.id
       ), 0)::integer as running
from (
  select unnest($1::uuid[])
  union
  select root_id from handout where queue = $2
) r (root_id)`,
};
