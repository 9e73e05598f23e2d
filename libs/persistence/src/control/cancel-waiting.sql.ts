import type { Statement } from '../database/database.js';

/**
 * Commands that cancel what now waits for a destination or calls it: one for each fan-out with such children, one for each such
 * top-level execution. Found in the tables of what waits, is handed out and is held, never among executions.
 * $1 name. Returns what is asked for; zero rows: there is no such destination, `commands` null: nothing waits.
 */
export const cancelWaiting: Statement = {
  name: 'cancel-waiting',
  text: `
with d as (
  select id, array_remove(array[name, 'host:' || host], null) as names
  from destination
  where name = $1
), concerned as (
  select f.root_id, f.parent_id, f.id as fan_out_id
  from d
  cross join fan_out_admission a
  join fan_out f on f.id = a.fan_out_id
  where not a.done
    and f.destinations && d.names
  union
  select h.root_id, h.parent_id, h.fan_out_id
  from d
  join handout h on h.destinations && d.names
  union
  select c.root_id, c.parent_id, c.fan_out_id
  from d
  join comeback c on c.destinations && d.names
  union
  select coalesce(f.root_id, e.id), f.parent_id, e.fan_out_id
  from d
  join destination_holder x on x.destination_id = d.id
  cross join lateral unnest(x.ids) i (id)
  join execution e on e.id = i.id
  left join fan_out f on f.id = e.fan_out_id
), commands as (
  insert into control (kind, execution_id, root_id, fan_out_id, filter)
  select 'cancel_waiting', coalesce(c.parent_id, c.root_id), c.root_id, c.fan_out_id,
         json_build_object('destination', d.id, 'name', $1::text, 'names', d.names)::text
  from concerned c
  cross join d
  returning id
)
select (select count(*)::integer from commands) as commands
from d`,
};
