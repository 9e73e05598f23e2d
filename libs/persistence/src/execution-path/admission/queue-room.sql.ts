import type { Statement } from '../../database/database.js';

/** Locks a queue's row: one orchestrator admits to a queue at a time. Zero rows: somebody else does. $1 queue. */
export const lockQueue: Statement = {
  name: 'lock-queue',
  text: `
select name
from queue
where name = $1
for update skip locked`,
};

export const createQueues: Statement = {
  name: 'create-queues',
  text: `
insert into queue (name)
select unnest($1::text[])
on conflict do nothing`,
};

/** What is handed out of a queue (but for roots that are paused or cancelled somewhere) and who could take it. $1 queue. */
export const queueRoom: Statement = {
  name: 'queue-room',
  text: `
select (select coalesce(sum(size), 0)::integer from handout where queue = $1 and not exists (select from mark where mark.root_id = handout.root_id)) as ready,
       (select count(*)::integer from executor where state = 'live' and $1 = any (queues)) as executors,
       (select coalesce(sum(slots), 0)::integer from executor where state = 'live' and $1 = any (queues)) as slots,
       (select admitted from queue where name = $1) as admitted`,
};

/** Queues in which something waits to be admitted. */
export const busyQueues: Statement = {
  name: 'busy-queues',
  text: `
select queue from fan_out_admission where not done
union
select queue from comeback where available_at <= now()`,
};

/** Everything was admitted and nothing more will come. $1 fan-outs. */
export const finishAdmission: Statement = {
  name: 'finish-admission',
  text: `
update fan_out_admission a
set done = true
from fan_out f
where a.fan_out_id = any ($1::bigint[])
  and f.id = a.fan_out_id
  and f.sealed
  and a.cursor = f.spawned`,
};

/** Counts what a queue has ever been given, from which its pace is measured. $1 queue, $2 number. */
export const countAdmitted: Statement = {
  name: 'count-admitted',
  text: `
update queue
set admitted = admitted + $2
where name = $1`,
};
