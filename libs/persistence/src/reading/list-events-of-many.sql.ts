import type { Statement } from '../database/database.js';

/**
 * Stored events of several executions, each from a number of its own on.
 * $1 uuid[]: executions, $2 int[]: numbers, in step, $3 int: at most so many of each.
 */
export const listEventsOfMany: Statement = {
  name: 'list-events-of-many',
  text: `
select w.id as "executionId", e.seq, e.at, e.kind, e.node, e.attempt, e.actor, e.data
from unnest($1::uuid[], $2::int[]) as w(id, seq)
cross join lateral (
  select seq, at, kind, node, attempt, actor, data
  from event
  where execution_id = w.id
    and seq >= w.seq
  order by seq
  limit $3
) e
order by w.id, e.seq`,
};
