import type { Statement } from '../database/database.js';

/** Answers that hold what was looked up for items. $1 fan-out, $2 item indexes. */
export const frozenAnswers: Statement = {
  name: 'frozen-answers',
  text: `
select b.first_index as "firstIndex", b.answer
from (
  select distinct (
    select max(first_index)
    from frozen_batch
    where fan_out_id = $1
      and first_index <= x.item_index
  ) as first_index
  from unnest($2::integer[]) x (item_index)
) f
join frozen_batch b on b.fan_out_id = $1 and b.first_index = f.first_index
where b.state = 'used'`,
};
