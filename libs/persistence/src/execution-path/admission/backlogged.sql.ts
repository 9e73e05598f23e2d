import type { Statement } from '../../database/database.js';

/**
 * Fan-outs of which more tasks wait to be admitted again than may. $1 fan-outs, $2 and $3 their first and last admitted children, $4 how
 * many may wait. Of each no more than ten times as many are looked at: most may be between two attempts.
 */
export const backlogged: Statement = {
  name: 'backlogged',
  text: `
select f.id
from unnest($1::bigint[], $2::uuid[], $3::uuid[]) f (id, first_id, last_id)
where (
  select count(*)
  from (
    select available_at
    from comeback
    where execution_id between f.first_id and f.last_id
    limit 10 * ($4 + 1)
  ) looked
  where available_at <= now()
) > $4`,
};
