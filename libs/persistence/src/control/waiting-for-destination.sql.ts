import type { Statement } from '../database/database.js';
import { executionFrom } from '../database/moves.js';

/**
 * Children of a fan-out that wait for a destination or call it, in item order: those whose turn has not come and whose first node
 * calls it, what is handed out or comes back for it, and what holds it.
 * Parameters: $1 fan-out, $2 names of the destination, $3 its id, $4 first and $5 last id, $6 born before, $7 most.
 */
export const waitingForDestination: Statement = {
  name: 'waiting-for-destination',
  text: `
with waiting (id, running) as (
  (select e.id, false
   from execution e
   where exists (select from fan_out f where f.id = $1 and f.destinations && $2::text[])
     and e.id between $4 and $5
     and e.state in ('pending', 'ready')
     and e.created_at <= $6
   order by e.id
   limit $7)
  union all
  select t.execution_id, false
  from handout h
  cross join lateral unnest(h.ids) i (id)
  join task t on t.execution_id = i.id and t.node = h.node and t.state = 'ready'
  where h.fan_out_id = $1
    and h.destinations && $2::text[]
  union all
  select t.execution_id, false
  from handout h
  join task t on t.execution_id between h.first_id and h.last_id and t.node = h.node and t.state = 'ready'
  where h.fan_out_id = $1
    and h.destinations && $2::text[]
  union all
  select c.execution_id, false
  from comeback c
  where c.fan_out_id = $1
    and c.destinations && $2::text[]
  union all
  select t.execution_id, true
  from destination_holder x
  cross join lateral unnest(x.ids) i (id)
  join task t on t.execution_id = i.id and t.node = x.node and t.state in ('running', 'recorded')
  where x.destination_id = $3
    and i.id between $4 and $5
)
select w.id, bool_or(w.running) as running
from waiting w
join execution e on e.id = w.id
where w.id between $4 and $5
  and e.state = ${executionFrom('cancel')}
  and e.created_at <= $6
group by w.id
order by w.id
limit $7`,
};
