import type { Statement } from '../../database/database.js';
import { taskFrom, taskTo } from '../../database/moves.js';
import { limitsAnything } from '../destinations/in-force.fragment.js';
import { admitPending } from './admit-pending.fragment.js';

/**
 * Admits tasks in the transaction that laid them out, or that unlocked them, where a turn would decide nothing else: nothing
 * waits before them, and the queue has less handed out than its smallest window. An execution that is still pending is admitted with
 * its first task. Tasks with a limited destination and children of fan-outs take the way by turns.
 *
 * Parameters: $1 queue, $2 executions, $3 the smallest window, $4 how many tasks there are.
 * Guard: the queue's row is free (else somebody admits to it now), the caller holds the gate of the executions' roots, and
 * they stand under no mark. Those with the longest way to an end come first. Zero rows: nothing has changed.
 */
export const admitAtOnce: Statement = {
  name: 'admit-at-once',
  text: `
with q as (
  select name
  from queue
  where name = $1
  for update skip locked
), gone as (
  delete from comeback c
  using q
  where c.queue = $1
    and c.execution_id = any ($2::uuid[])
    and c.available_at <= now()
    and c.fan_out_id is null
    and not c.suspect
    and not exists (select from mark where mark.execution_id = c.execution_id)
    and not exists (
      select from destination d
      where (d.name = any (c.destinations) or 'host:' || d.host = any (c.destinations))
        and ${limitsAnything('d')}
    )
    and (select coalesce(sum(size), 0) from handout h where queue = $1 and not exists (select from destination_wait w where w.handout_id = h.id)) + $4 <= $3
    and (select count(*) from (select from comeback b where b.queue = $1 and b.available_at <= now() and not exists (select from mark where mark.root_id = b.root_id) limit $4 + 1) x) <= $4
  returning c.*
), ${admitPending('gone.child')}, ready as (
  update task t
  set state = ${taskTo('admit')},
      available_at = null
  from gone
  where t.execution_id = gone.execution_id
    and t.node = gone.node
    and t.shard = 0
    and t.state = ${taskFrom('admit')}
), counted as (
  update queue
  set admitted = admitted + (select count(*) from gone)
  from q
  where queue.name = q.name
)
insert into handout (queue, root_id, parent_id, fan_out_id, version_id, child_path, node, ids, size, suspect, destinations)
select queue, root_id, parent_id, fan_out_id, version_id, child_path, node, array[execution_id], 1, suspect, destinations
from gone
order by critical_path desc
returning id, queue, root_id, parent_id, fan_out_id, version_id, child_path, node, ids, size, suspect, destinations`,
};
