import type { Statement } from '../database/database.js';
import { filtered } from './bulk-moves.fragment.js';
import { itemIndex } from './item-index.fragment.js';

/**
 * Children that a redrive would move. $1 first id, $2 last id, $3 states, $4 fingerprint, $5 class, $6 ids, $7 pattern of the error,
 * $8 fan-out.
 * Guard: what a redrive that was answered before has counted, and has not come to yet, belongs to that one. So each child is in the
 * count of one redrive.
 */
export const countMatching: Statement = {
  name: 'count-matching',
  text: `
with earlier as materialized (
  select c.position,
         c.created_at,
         c.filter::jsonb as filter
  from control c
  where c.fan_out_id = $8
    and c.kind = 'redrive'
)
select count(*)::integer as matched
from execution e
where e.id between $1 and $2${filtered}
  and not exists (
    select
    from earlier x
    where (x.position is null or e.id > x.position)
      and e.finished_at <= x.created_at
      and x.filter -> 'state' ? upper(e.state::text)
      and (x.filter ->> 'fingerprint' is null or e.fingerprint = x.filter ->> 'fingerprint')
      and (x.filter ->> 'class' is null or e.error like '%"class":"' || (x.filter ->> 'class') || '"%')
      and (x.filter -> 'itemIndexes' is null or x.filter -> 'itemIndexes' @> to_jsonb(${itemIndex('e.id')}))
      and (x.filter ->> 'pattern' is null or e.error like x.filter ->> 'pattern')
  )`,
};
