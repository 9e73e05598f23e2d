import type { Statement } from '../database/database.js';

/**
 * The backlog curve: per queue and step, the last sample of the step.
 * $1 timestamptz: from, $2 int: step in seconds, $3 int: at most so many points.
 */
export const backlogCurve: Statement = {
  name: 'backlog-curve',
  text: `
select distinct on (queue, floor(extract(epoch from at) / $2))
  at, queue, pending, ready, running
from backlog_sample
where at >= $1
order by queue, floor(extract(epoch from at) / $2), at desc
limit $3`,
};
