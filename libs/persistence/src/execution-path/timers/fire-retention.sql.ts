import type { Statement } from '../../database/database.js';

/**
 * Takes due retention timers and turns them into delete commands, once no command works below the execution and none of its
 * notices is to be delivered any more. An execution that is open again meanwhile keeps its rows: re-opening it removed the
 * timer, and settling again sets a new one. $1 most.
 */
export const fireRetention: Statement = {
  name: 'fire-retention',
  text: `
with due as (
  select id, execution_id
  from timer
  where kind = 'retention'
    and due_at <= now()
    and not held
    and not fired
    and not exists (select from control c where c.root_id = timer.execution_id)
    and not exists (select from notice n where n.execution_id = timer.execution_id and n.state in ('pending', 'running'))
  order by due_at
  limit $1
  for update skip locked
), gone as (
  delete from timer
  using due
  where timer.id = due.id
)
insert into control (kind, execution_id, root_id)
select 'delete', e.id, e.id
from due
join execution e on e.id = due.execution_id
where e.fan_out_id is null
  and e.state in ('succeeded', 'failed', 'cancelled')
  and not exists (select from control c where c.execution_id = e.id and c.kind = 'delete')
returning execution_id`,
};
