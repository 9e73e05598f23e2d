import type { Statement } from '../../database/database.js';
import { admitPending } from './admit-pending.fragment.js';

/**
 * Admits children that begin anew and that intake lays out, as hand-to-intake does at the cursor: pending -> ready, with a place of
 * their fan-outs. $1 execution ids, sorted. Zero rows: none of them waits any more.
 */
export const beginAnew: Statement = {
  name: 'begin-anew',
  text: `
with gone as (
  delete from comeback
  where execution_id = any ($1::uuid[])
    and node = -1
  returning execution_id, fan_out_id
), ${admitPending('true')}, opened as (
  update fan_out_admission a
  set opened = a.opened + x.n
  from (select fan_out_id, count(*)::integer as n from moved group by fan_out_id) x
  where a.fan_out_id = x.fan_out_id
)
insert into intake (execution_id)
select id
from moved
on conflict do nothing
returning execution_id as id`,
};
