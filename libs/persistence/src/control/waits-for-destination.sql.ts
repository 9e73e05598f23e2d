import type { Statement } from '../database/database.js';

/** Whether a top-level execution has a task that waits for a destination or calls it. $1 execution, $2 names of it, $3 its id. */
export const waitsForDestination: Statement = {
  name: 'waits-for-destination',
  text: `
select exists (
         select
         from handout h
         join task t on t.execution_id = $1 and t.node = h.node and t.state = 'ready'
         where h.root_id = $1
           and h.ids @> array[$1::uuid]
           and h.destinations && $2::text[]
       )
       or exists (select from comeback c where c.execution_id = $1 and c.destinations && $2::text[])
       or exists (
         select
         from destination_holder x
         join task t on t.execution_id = $1 and t.node = x.node and t.state in ('running', 'recorded')
         where x.destination_id = $3
           and x.ids @> array[$1::uuid]
       ) as waits`,
};
