import type { Statement } from '../../database/database.js';
import { taskFrom, taskTo } from '../../database/moves.js';

/**
 * Recorded tasks of one fan-out that no recorded batch names, and running ones of dead executors that no claim batch
 * names: recorded (the dead ones as lost) and to be settled. $1 fan-out, $2 failure of a lost executor, $3 most.
 * Returns how many.
 */
export const resettleOrphans: Statement = {
  name: 'resettle-orphans',
  text: `
with candidates as (
  select t.execution_id, t.node, t.state
  from fan_out f
  join task t on t.execution_id between fan_out_first_child(f.root_id, f.id) and fan_out_last_child(f.root_id, f.id)
  left join executor e on e.id = t.incarnation
  where f.id = $1
    and ((t.state = 'recorded' and not exists (select from recorded_batch r where t.execution_id = any (r.ids)))
      or (t.state = 'running' and e.state in ('lost', 'ended')
          and not exists (select from claim_batch c where c.incarnation = t.incarnation and t.execution_id = any (c.ids))))
  order by t.execution_id
  limit $3
), lost as (
  update task t
  set state = ${taskTo('fence_out')},
      fencing_token = t.fencing_token + 1,
      outcome = 'lost',
      error = $2,
      finished_at = now()
  from candidates c
  where t.execution_id = c.execution_id
    and t.node = c.node
    and t.state = ${taskFrom('fence_out')}
    and c.state = 'running'
), batch as (
  insert into recorded_batch (ids, nodes)
  select array_agg(execution_id), array_agg(node)
  from candidates
  having count(*) > 0
)
select count(*)::integer as n
from candidates`,
};
