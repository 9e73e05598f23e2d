import type { Statement } from '../../database/database.js';
import { endRunning } from './repair.fragment.js';

/**
 * Attempts past their time-out: fenced out, recorded as timed out, their places freed. Batches of which nothing runs any
 * more are removed. $1 grace in milliseconds, $2 failure, $3 most batches.
 */
export const fenceOutOverdue: Statement = {
  name: 'fence-out-overdue',
  text: `
with overdue as (
  select id, ids, node, incarnation
  from claim_batch
  where timeout_at < now() - $1 * interval '1 millisecond'
  order by timeout_at
  limit $3
  for update skip locked
), gone as (
  delete from claim_batch
  using overdue
  where claim_batch.id = overdue.id
),${endRunning('overdue', 'timed_out')}`,
};
