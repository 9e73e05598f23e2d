import type { Statement } from '../database/database.js';

/**
 * Attempts of one execution in the order they started, each with its end.
 * $1 uuid, $2 int: started after this event, $3 int: at most so many.
 */
export const listAttempts: Statement = {
  name: 'list-attempts',
  text: `
with ended as (
  select node, attempt, at, kind, data, actor
  from event
  where execution_id = $1
    and kind in ('attempt_ended', 'retrying', 'attempt_succeeded', 'attempt_failed', 'all_succeeded', 'all_failed')
)
select s.seq, s.node, s.attempt, s.actor, s.at as "startedAt", e.at as "endedAt", e.kind as "endKind", e.data as "endData"
from event s
left join ended e on e.node = s.node and e.attempt = s.attempt
where s.execution_id = $1
  and s.kind in ('started', 'attempt_started')
  and s.seq > $2
order by s.seq
limit $3`,
};
