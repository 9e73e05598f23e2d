import type { Statement } from '../../database/database.js';
import { taskFrom, taskTo } from '../../database/moves.js';

/** Queues with hand-outs that nobody took, and whether somebody could. */
export const staleQueues: Statement = {
  name: 'stale-queues',
  text: `
select h.queue,
       exists (select from executor e where e.state = 'live' and h.queue = any (e.queues) and e.free_slots > 0) as free
from handout h
where h.next_check_at <= now()
group by h.queue`,
};

/**
 * Hand-outs whose message must be lost, each again after 3, 6, 12 … 60 s. What waits for a destination or stands under a
 * mark is left alone. $1 queue, $2 most.
 */
export const retryHandouts: Statement = {
  name: 'retry-handouts',
  text: `
with stale as (
  select id
  from handout h
  where h.queue = $1
    and h.next_check_at <= now()
    and not exists (select from destination_wait w where w.handout_id = h.id)
    and (not exists (select from mark m where m.root_id = h.root_id)
         or marked_lineage(coalesce(h.parent_id, h.first_id, h.ids[1])) is null)
  order by h.next_check_at
  limit $2
  for update skip locked
)
update handout h
set tries = h.tries + 1,
    next_check_at = now() + least(60, 3 * 2 ^ least(h.tries + 1, 10)) * interval '1 second'
from stale
where h.id = stale.id
returning h.id, h.queue, h.root_id, h.parent_id, h.fan_out_id, h.version_id, h.child_path, h.node, h.size, h.suspect,
          h.destinations, h.first_id is not null as range`,
};

/** Destinations that hand-outs wait for and that have room: a raised limit, a holder that is gone, a throttle that is over. */
export const freeDestinations: Statement = {
  name: 'free-destinations',
  text: `
select w.destination_id as id,
       case when d.id is null or least(d.max_concurrency, d.ramp) is null then 1000
            else least(d.max_concurrency, d.ramp) - (select count(*) from destination_holder h where h.destination_id = d.id) end::integer as room
from (select distinct destination_id from destination_wait) w
left join destination d on d.id = w.destination_id
where d.id is null
   or ((d.throttled_until is null or d.throttled_until <= now())
       and (least(d.max_concurrency, d.ramp) is null
            or (select count(*) from destination_holder h where h.destination_id = d.id) < least(d.max_concurrency, d.ramp)))`,
};

const endRunning = (which: string, outcome: string): string => `
ended as (
  update task t
  set state = ${taskTo('fence_out')},
      fencing_token = t.fencing_token + 1,
      outcome = '${outcome}',
      error = $2,
      finished_at = now()
  from (
    select t.execution_id, t.node, t.shard
    from ${which} b
    cross join lateral unnest(b.ids) x (id)
    join task t on t.execution_id = x.id and t.node = b.node and t.shard = 0
    where t.incarnation = b.incarnation
      and t.state = ${taskFrom('fence_out')}
    order by t.execution_id, t.node
    for update of t
  ) x
  where t.execution_id = x.execution_id
    and t.node = x.node
    and t.shard = x.shard
  returning t.execution_id, t.node
), freed as (
  delete from destination_holder h
  using ended
  where h.execution_id = ended.execution_id
    and h.node = ended.node
), batch as (
  insert into recorded_batch (ids, nodes)
  select array_agg(execution_id), array_agg(node)
  from ended
  having count(*) > 0
  returning id
)
select (select id from batch) as batch_id,
       (select count(*)::integer from ended) as ended,
       (select array_agg(execution_id) from ended) as ids`;

/**
 * Attempts past their time-out: fenced out, recorded as timed out, their places freed. Batches of which nothing runs any
 * more are removed. $1 grace in milliseconds, $2 failure, $3 most batches.
 */
export const fenceOutOverdue: Statement = {
  name: 'fence-out-overdue',
  text: `
with overdue as (
  select id, ids, node, incarnation
  from claim_batch
  where timeout_at < now() - $1 * interval '1 millisecond'
  order by timeout_at
  limit $3
  for update skip locked
), gone as (
  delete from claim_batch
  using overdue
  where claim_batch.id = overdue.id
),${endRunning('overdue', 'timed_out')}`,
};

/**
 * Incarnations whose lease is over, locked against claims, and marked lost. $1 most.
 * A claim holds its executor's row \`for key share\`, so a lost incarnation can claim nothing after this.
 */
export const markLost: Statement = {
  name: 'mark-lost',
  text: `
with silent as (
  select id
  from executor
  where state in ('live', 'draining')
    and seen_at < now() - lease_ms * interval '1 millisecond'
  order by id
  limit $1
  for update skip locked
)
update executor
set state = 'lost',
    ended_at = now()
from silent
where executor.id = silent.id
returning executor.id, executor.name`,
};

/** All incarnations: the data folder's lock proves them dead. */
export const markAllLost: Statement = {
  name: 'mark-all-lost',
  text: `
update executor
set state = 'lost',
    ended_at = now()
where state in ('live', 'draining')
returning id`,
};

/** What incarnations that are over had claimed: recorded as lost. $1 most batches, $2 failure. */
export const releaseLost: Statement = {
  name: 'release-lost',
  text: `
with orphaned as (
  select b.id, b.ids, b.node, b.incarnation
  from claim_batch b
  join executor e on e.id = b.incarnation
  where e.state in ('lost', 'ended')
  order by b.id
  limit $1
  for update of b skip locked
), gone as (
  delete from claim_batch
  using orphaned
  where claim_batch.id = orphaned.id
),${endRunning('orphaned', 'lost')}`,
};

/** Holders of incarnations that are over and have nothing claimed: their calls ended with them. */
export const freeLostHolders: Statement = {
  name: 'free-lost-holders',
  text: `
delete from destination_holder h
using executor e
where e.id = h.incarnation
  and e.state in ('lost', 'ended')
  and not exists (select from task t where t.execution_id = h.execution_id and t.node = h.node and t.incarnation = h.incarnation and t.state = 'running')`,
};

/** Claim batches of which nothing runs any more, old enough that their executor has forgotten them. $1 age in ms, $2 most. */
export const dropFinishedBatches: Statement = {
  name: 'drop-finished-batches',
  text: `
with old as (
  select id, ids, node, incarnation
  from claim_batch
  where taken_at < now() - $1 * interval '1 millisecond'
  order by id
  limit $2
  for update skip locked
)
delete from claim_batch
using old
where claim_batch.id = old.id
  and not exists (
    select
    from unnest(old.ids) x (id)
    join task t on t.execution_id = x.id and t.node = old.node
    where t.incarnation = old.incarnation
      and t.state = 'running')`,
};

/** One point of the backlog curve for every queue. */
export const sampleBacklog: Statement = {
  name: 'sample-backlog',
  text: `
insert into backlog_sample (at, queue, pending, ready, running)
select date_trunc('second', now()),
       q.name,
       coalesce((select sum(f.spawned - a.cursor)::integer from fan_out_admission a join fan_out f on f.id = a.fan_out_id
                 where a.queue = q.name and not a.done), 0)
         + coalesce((select count(*)::integer from comeback c where c.queue = q.name), 0),
       coalesce((select sum(h.size)::integer from handout h where h.queue = q.name), 0),
       coalesce((select sum(e.slots - e.free_slots)::integer from executor e where e.state = 'live' and q.name = any (e.queues)), 0)
from queue q
where q.name <> ''
on conflict do nothing`,
};

export const forgetBacklog: Statement = {
  name: 'forget-backlog',
  text: `
delete from backlog_sample
where at < now() - interval '7 days'`,
};
