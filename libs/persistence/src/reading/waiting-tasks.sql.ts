import type { Statement } from '../database/database.js';

/**
 * Open tasks of an execution with where they wait.
 * $1 uuid. Zero rows: none has been laid out, or all have settled.
 */
export const waitingTasks: Statement = {
  name: 'waiting-tasks',
  text: `
select t.node, t.state, t.attempt, t.error, t.started_at as "startedAt", t.incarnation,
  case when c.available_at > now() then c.available_at end as "availableAt",
  coalesce(c.destinations, h.destinations, '{}') as destinations,
  w.due_at as "dueAt"
from task t
left join comeback c on c.execution_id = t.execution_id and c.node = t.node
left join lateral (
  select destinations
  from handout
  where t.state = 'ready'
    and node = t.node
    and (ids @> array[t.execution_id] or t.execution_id between first_id and last_id)
  limit 1
) h on true
left join lateral (
  select due_at
  from timer
  where execution_id = t.execution_id
    and node = t.node
  order by due_at
  limit 1
) w on t.state = 'waiting'
where t.execution_id = $1
  and t.state in ('pending', 'ready', 'running', 'recorded', 'waiting')
order by t.node`,
};
