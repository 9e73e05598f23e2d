import type { Statement } from '../../database/database.js';

/** What is handed out of a queue (but for roots that are paused or cancelled somewhere) and who could take it. $1 queue. */
export const queueRoom: Statement = {
  name: 'queue-room',
  text: `
select (select coalesce(sum(size), 0)::integer from handout where queue = $1 and (not exists (select from mark where mark.root_id = handout.root_id) or marked_together(parent_id, fan_out_id, first_id, ids) is null)) as ready,
       (select count(*)::integer from executor where state = 'live' and $1 = any (queues)) as executors,
       (select coalesce(sum(slots), 0)::integer from executor where state = 'live' and $1 = any (queues)) as slots,
       (select admitted from queue where name = $1) as admitted`,
};
