import type { Statement } from '../database/database.js';

/**
 * Takes notices that are due: each belongs to the claimer until its time is over. $1 most, $2 milliseconds.
 *
 * Guard: pending, or running with its time over (whoever took it is gone, which costs a charged attempt). The attempt is the
 * fencing token: it grows with each claim.
 */
export const claimNotices: Statement = {
  name: 'claim-notices',
  text: `
with due as (
  select execution_id, round, hook
  from notice
  where state in ('pending', 'running')
    and due_at <= now()
  order by due_at
  limit $1
  for update skip locked
), taken as (
  update notice n
  set attempt = n.attempt + 1,
      charged = n.charged + case when n.state = 'running' then 1 else 0 end,
      state = 'running',
      due_at = now() + $2 * interval '1 millisecond'
  from due
  where n.execution_id = due.execution_id
    and n.round = due.round
    and n.hook = due.hook
  returning n.*
)
select t.execution_id as "executionId",
       t.round,
       t.hook,
       t.outcome,
       t.at,
       t.error,
       t.fan_outs as "fanOuts",
       t.attempt,
       t.charged,
       e.version_id as "versionId",
       e.input,
       coalesce(e.labels, '{}') as labels
from taken t
join execution e on e.id = t.execution_id`,
};
