import type { Statement } from '../../database/database.js';
import { endRunning } from '../repair/repair.fragment.js';

/** Attempts that run past the time of an edge whose timer has fired: fenced out, recorded as timed out. $1 timers, $2 failure. */
export const cutLateTasks: Statement = {
  name: 'cut-late-tasks',
  text: `
with late as (
  select b.id, array[t.execution_id] as ids, t.node, t.incarnation
  from timer m
  join task t on t.execution_id = m.execution_id and t.node = m.node and t.shard = 0
  left join lateral (
    select max(id) as id
    from claim_batch
    where incarnation = t.incarnation
      and node = t.node
      and ids @> array[t.execution_id]
  ) b on true
  where m.id = any ($1::bigint[])
    and m.fired
    and m.kind like 'edge:%'
    and t.state = 'running'
),${endRunning('late', 'timed_out')}`,
};
