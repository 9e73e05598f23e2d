import type { Statement } from '../../database/database.js';

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
