import type { Statement } from '../database/database.js';

/** A child leaves the lists in which it was handed out with others. $1 fan-out, $2 child. */
export const leaveHandouts: Statement = {
  name: 'leave-handouts',
  text: `
with left_behind as (
  update handout
  set ids = array_remove(ids, $2),
      size = size - 1
  where fan_out_id = $1
    and ids @> array[$2::uuid]
    and cardinality(ids) > 1
)
delete from handout
where fan_out_id = $1
  and ids = array[$2::uuid]`,
};
