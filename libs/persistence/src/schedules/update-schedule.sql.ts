import type { Statement } from '../database/database.js';

/**
 * New terms of a schedule. Parameters as of \`insert-schedule\`, and $14: the next occurrence is that of $13, else it stays. What
 * waits for its turn is skipped where the schedule is disabled. Zero rows: there is none.
 */
export const updateSchedule: Statement = {
  name: 'update-schedule',
  text: `
with dropped as (
  delete from schedule_run r
  using schedule s
  where s.name = $1
    and r.schedule_id = s.id
    and r.execution_id is null
    and not $12
  returning 1
)
update schedule
set pipeline = $2,
    version = $3,
    cron = $4,
    time_zone = $5,
    input = $6,
    labels = $7,
    priority = $8,
    overlap = $9,
    missed = $10,
    missed_limit = $11,
    enabled = $12,
    next_at = case when $14 then $13 else next_at end,
    skipped = skipped + (select count(*) from dropped),
    updated_at = now()
where name = $1
returning name`,
};
