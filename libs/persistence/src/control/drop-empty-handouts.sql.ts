import type { Statement } from '../database/database.js';

/** Hand-outs for a destination of which nothing is ready any more. $1 root, $2 fan-out (null: of the root itself), $3 names. */
export const dropEmptyHandouts: Statement = {
  name: 'drop-empty-handouts',
  text: `
delete from handout h
where h.root_id = $1
  and h.fan_out_id is not distinct from $2
  and h.destinations && $3::text[]
  and not exists (
    select
    from unnest(h.ids) i (id)
    join task t on t.execution_id = i.id and t.node = h.node and t.state = 'ready'
  )
  and not exists (
    select
    from task t
    where t.execution_id between h.first_id and h.last_id
      and t.node = h.node
      and t.state = 'ready'
  )`,
};
