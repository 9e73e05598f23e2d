import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';
import { idsWithout } from '../destinations/places.fragment.js';
import { taskFrom, taskTo } from '../../database/moves.js';

/**
 * Hands back tasks that this incarnation holds and does not perform: recorded as interrupted, so that settlement sends them
 * back uncharged. $1 incarnation, $2 executions, $3 nodes, $4 fencing tokens.
 */
export const handBackTasks: Statement = {
  name: 'hand-back-tasks',
  text: `
with back as (
  update task t
  set state = ${taskTo('record')},
      outcome = 'interrupted',
      finished_at = now()
  from unnest($2::uuid[], $3::smallint[], $4::integer[]) x (execution_id, node, fencing_token)
  where ${batchFirst('x.node')}
    and t.execution_id = x.execution_id
    and t.node = x.node
    and t.shard = 0
    and t.fencing_token = x.fencing_token
    and t.incarnation = $1
    and t.state = ${taskFrom('record')}
  returning t.execution_id, t.node
), free as (
  update destination_holder h
  set ids = ${idsWithout('x.ids')}
  from (select node, array_agg(execution_id) as ids from back group by node) x
  where h.incarnation = $1
    and h.node = x.node
    and h.ids && x.ids
), batch as (
  insert into recorded_batch (ids, nodes)
  select array_agg(execution_id), array_agg(node)
  from back
  having count(*) > 0
  returning id
)
select id as batch_id
from batch`,
};
