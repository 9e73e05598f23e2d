import type { Statement } from '../database/database.js';
import { taskTo } from '../database/moves.js';
import { limitsAnything } from '../execution-path/destinations/in-force.fragment.js';
import { bornExecution } from './born-execution.fragment.js';

/**
 * Starts an execution of a pipeline's newest version in one round trip, which is its transaction, and admits its first task in it where a
 * turn of admission would decide nothing else: nothing waits before it, the queue has less handed out than its smallest window, and no
 * limited destination is called. Nobody can have marked what is not there yet, so there is no gate.
 *
 * $1-$8 those of the fragment, $9 text: pipeline, $10 int: the version that was the newest; of the first task, if it is the only
 * one and an executor performs it, else null: $11 text: queue, $12 smallint: node, $13 text[]: destinations; $14 int: the smallest window;
 * $15-$18 text: actor, action, target and facts of its audit entry.
 * Guard: the version is the newest still, the pipeline takes executions, and no quota counts them. Zero rows: one of it is not so, and
 * nothing has changed. One row: when it was created, and its hand-out where it was admitted.
 */
export const startAtOnce: Statement = {
  name: 'start-at-once',
  text: `
with held as (
  select name
  from pipeline
  where name = $9
    and deleted_at is null
    and enabled
    and latest_version = $10
    and not exists (select from quota where scope in ('all', $9) and max_open_executions is not null)
  for share
), q as (
  select name
  from queue
  where name = $11
  for update skip locked
), room as (
  select q.name
  from held, q
  where (select coalesce(sum(size), 0) from handout h where queue = $11 and not exists (select from destination_wait w where w.handout_id = h.id)) < $14
    and not exists (
      select from comeback b
      where b.queue = $11 and b.available_at <= now() and not exists (select from mark where mark.root_id = b.root_id)
    )
    and not exists (
      select from destination d
      where (d.name = any ($13::text[]) or 'host:' || d.host = any ($13::text[]))
        and ${limitsAnything('d')}
    )
), ${bornExecution('from held', 'exists (select from room)')}, ready as (
  insert into task (execution_id, node, state)
  select execution_row.id, $12::smallint, ${taskTo('admit')}
  from execution_row, room
), audited as (
  insert into audit_entry (actor, action, target, data)
  select $15::text, $16::text, $17::text, $18::text
  from execution_row
), counted as (
  update queue
  set admitted = admitted + 1
  from room
  where queue.name = room.name
), handed as (
  insert into handout (queue, root_id, parent_id, fan_out_id, version_id, child_path, node, ids, size, suspect, destinations)
  select room.name, execution_row.id, null, null, $2, '{}', $12, array[execution_row.id], 1, false, $13
  from execution_row, room
  returning id, queue, root_id, parent_id, fan_out_id, version_id, child_path, node, ids, size, suspect, destinations
)
select execution_row.created_at as "createdAt", handed.*
from execution_row
left join handed on true`,
};
