import type { Statement } from '../../database/database.js';

/** $1 executions, $2 milliseconds from now. */
export const setRetention: Statement = {
  name: 'set-retention',
  text: `
insert into timer (kind, execution_id, due_at)
select 'retention', x.id, now() + x.ms * interval '1 millisecond'
from unnest($1::uuid[], $2::bigint[]) x (id, ms)`,
};
