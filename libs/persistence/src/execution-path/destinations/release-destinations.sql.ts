import type { Statement } from '../../database/database.js';
import { idsWithout } from './places.fragment.js';

/** Places are let go when the call has ended. $1 destinations, $2 claim batches, $3 executions, one of each for a place. */
export const releaseDestinations: Statement = {
  name: 'release-destinations',
  text: `
update destination_holder h
set ids = ${idsWithout('x.ids')}
from (
  select batch_id, destination_id, array_agg(execution_id) as ids
  from unnest($1::integer[], $2::bigint[], $3::uuid[]) p (destination_id, batch_id, execution_id)
  group by batch_id, destination_id
  order by batch_id, destination_id
) x
where h.batch_id = x.batch_id
  and h.destination_id = x.destination_id`,
};
