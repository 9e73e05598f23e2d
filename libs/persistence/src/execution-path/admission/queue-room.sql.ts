import type { Statement } from '../../database/database.js';

/**
 * What is handed out of a queue and who could take it. $1 queue. Hand-outs of roots that are paused or cancelled somewhere and those that
 * wait for a destination are left out: nobody takes them, and they must not keep others out of the window.
 */
export const queueRoom: Statement = {
  name: 'queue-room',
  text: `
select (select coalesce(sum(size), 0)::integer from handout where queue = $1 and not exists (select from destination_wait w where w.handout_id = handout.id) and (not exists (select from mark where mark.root_id = handout.root_id) or marked_together(parent_id, fan_out_id, first_id, ids) is null)) as ready,
       (select count(*)::integer from executor where state = 'live' and $1 = any (queues)) as executors,
       (select coalesce(sum(slots), 0)::integer from executor where state = 'live' and $1 = any (queues)) as slots,
       (select admitted from queue where name = $1) as admitted`,
};
