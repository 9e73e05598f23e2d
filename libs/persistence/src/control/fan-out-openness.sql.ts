import type { Statement } from '../database/database.js';

/** Whether a fan-out, or anything below it, is open, and how it is marked. $1 fan-out, $2 root. */
export const fanOutOpenness: Statement = {
  name: 'fan-out-openness',
  text: `
with recursive below (id) as (
  select $1::bigint
  union
  select f.id
  from below b
  join fan_out f on f.parent_id between fan_out_first_child($2, b.id) and fan_out_last_child($2, b.id)
)
select (not own.sealed and not own.closed)
       or exists (
         select
         from below b
         join fan_out f on f.id = b.id
         join fan_out_tally t on t.fan_out_id = f.id
         where f.spawned > t.succeeded + t.failed + t.cancelled
       ) as open,
       (select m.kind from mark m where m.execution_id = own.parent_id and m.fan_out_id = own.id) as mark
from fan_out own
where own.id = $1`,
};
