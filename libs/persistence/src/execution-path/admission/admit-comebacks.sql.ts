import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';
import { taskFrom, taskTo } from '../../database/moves.js';
import { admitPending } from './admit-pending.fragment.js';

/**
 * Admits tasks that came back: the task pending -> ready, and an execution that is still pending with it. Ids go out in
 * the hand-outs of $3; a task or execution that is no longer pending is dropped, which the claim would find anyway.
 *
 * Parameters: $1 execution ids, $2 nodes (both sorted by id), $3 JSON array of hand-outs
 * {queue, root_id, parent_id, fan_out_id, version_id, child_path, node, ids, size, suspect, destinations}.
 */
export const admitComebacks: Statement = {
  name: 'admit-comebacks',
  text: `
with due as (
  select x.execution_id, x.node
  from unnest($1::uuid[], $2::smallint[]) x (execution_id, node)
), gone as (
  delete from comeback c
  using due
  where ${batchFirst('due.node')}
    and c.execution_id = due.execution_id
    and c.node = due.node
  returning c.execution_id, c.node, c.fan_out_id, c.child
), ${admitPending('gone.child')}, ready as (
  insert into task (execution_id, node, state)
  select execution_id, node, ${taskTo('admit')}
  from gone
  on conflict (execution_id, node, shard) do update
  set state = excluded.state,
      available_at = null
  where task.state = ${taskFrom('admit')}
), opened as (
  update fan_out_admission a
  set opened = a.opened + x.n
  from (select fan_out_id, count(*)::integer as n from moved where fan_out_id is not null group by fan_out_id) x
  where a.fan_out_id = x.fan_out_id
)
insert into handout (queue, root_id, parent_id, fan_out_id, version_id, child_path, node, ids, size, suspect, destinations)
select x.queue, x.root_id, x.parent_id, x.fan_out_id, x.version_id, x.child_path, x.node, x.ids, x.size, x.suspect, x.destinations
from json_to_recordset($3::json) x (queue text, root_id uuid, parent_id uuid, fan_out_id bigint, version_id integer,
  child_path smallint[], node smallint, ids uuid[], size integer, suspect boolean, destinations text[])
returning id, queue, root_id, parent_id, fan_out_id, version_id, child_path, node, ids, size, suspect, destinations`,
};
