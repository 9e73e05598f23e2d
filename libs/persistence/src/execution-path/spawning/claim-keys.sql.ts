import type { Statement } from '../../database/database.js';

/**
 * Claims item keys for a range of items. $1 fan-out, $2 sha-256 of the keys, $3 item indexes.
 * Returns the positions that an equal key stands at already (another index than its own).
 */
export const claimKeys: Statement = {
  name: 'claim-keys',
  text: `
with wanted as (
  select x.sha256, min(x.item_index) as item_index, (array_agg(x.item_index order by x.item_index))[2] as again
  from unnest($2::bytea[], $3::integer[]) x (sha256, item_index)
  group by x.sha256
), taken as (
  insert into item_key (fan_out_id, sha256, item_index)
  select $1, sha256, item_index
  from wanted
  on conflict do nothing
)
select k.item_index as first_index, w.item_index as second_index
from wanted w
join item_key k on k.fan_out_id = $1 and k.sha256 = w.sha256
where k.item_index <> w.item_index
union all
select item_index, again
from wanted
where again is not null
order by 2
limit 1`,
};
