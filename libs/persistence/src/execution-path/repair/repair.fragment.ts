import { batchFirst } from '../../database/batch-rows.js';
import { idsWithout } from '../destinations/places.fragment.js';
import { taskFrom, taskTo } from '../../database/moves.js';

export const endRunning = (which: string, outcome: string): string => `
ended as (
  update task t
  set state = ${taskTo('fence_out')},
      fencing_token = t.fencing_token + 1,
      outcome = '${outcome}',
      error = $2,
      finished_at = now()
  from (
    select t.execution_id, t.node, t.shard, b.id as batch_id
    from ${which} b
    cross join lateral unnest(b.ids) x (id)
    join task t on t.execution_id = x.id and t.node = b.node and t.shard = 0
    where ${batchFirst('b.node')}
      and t.incarnation = b.incarnation
      and t.state = ${taskFrom('fence_out')}
    order by t.execution_id, t.node
    for update of t
  ) x
  where t.execution_id = x.execution_id
    and t.node = x.node
    and t.shard = x.shard
  returning t.execution_id, t.node, t.fencing_token - 1 as claimed_under, x.batch_id
), freed as (
  update destination_holder h
  set ids = ${idsWithout('x.ids')}
  from (select batch_id, array_agg(execution_id) as ids from ended group by batch_id order by batch_id) x
  where ${batchFirst('x.batch_id')}
    and h.batch_id = x.batch_id
), batch as (
  insert into recorded_batch (ids, nodes)
  select array_agg(execution_id), array_agg(node)
  from ended
  having count(*) > 0
  returning id
)
select (select id from batch) as batch_id,
       (select count(*)::integer from ended) as ended,
       (select json_agg(json_build_object('executionId', execution_id, 'node', node, 'fencingToken', claimed_under)) from ended) as claims`;
