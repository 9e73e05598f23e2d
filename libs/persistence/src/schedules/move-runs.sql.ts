import type { Statement } from '../database/database.js';

/**
 * Writes what was decided about a held schedule's occurrences. $1 schedule, $2 occurrences that go, $3 how many of them were skipped,
 * $4 the one that is started or null, $5 its execution, $6 why one could not be started (JSON text) or null.
 */
export const moveRuns: Statement = {
  name: 'move-runs',
  text: `
with gone as (
  delete from schedule_run
  where schedule_id = $1
    and due_at = any ($2::timestamptz[])
), started as (
  update schedule_run
  set execution_id = $5
  where schedule_id = $1
    and due_at = $4
)
update schedule
set skipped = skipped + $3,
    last_at = coalesce($4, last_at),
    last_execution_id = coalesce($5, last_execution_id),
    last_error = case when $6::text is not null then $6 when $4 is not null then null else last_error end
where id = $1`,
};
