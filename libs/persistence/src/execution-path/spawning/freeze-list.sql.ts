import type { Statement } from '../../database/database.js';

/** The list is frozen; stages that are shares of the total can be told now. $1 fan-out, $2 list, $3 number of items (null: not known yet), $4 whether it is complete. */
export const freezeList: Statement = {
  name: 'freeze-list',
  text: `
with frozen as (
  update fan_out
  set list_id = $2,
      total = $3,
      list_frozen = $4,
      moved_at = now()
  where id = $1
    and not list_frozen
    and not sealed
    and not closed
  returning id, released
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from frozen
  where released is not null
  on conflict do nothing
)
select id
from frozen`,
};
