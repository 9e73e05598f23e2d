import type { Statement } from '../database/database.js';

/**
 * Keeps the occurrences that are to be run, and moves schedules to their next one. $1 schedules, $2 their next occurrences, $3 how many
 * were skipped; $4 schedules and $5 occurrences that are kept.
 * Guard: the schedules are held. An occurrence is kept once, by its key.
 */
export const keepOccurrences: Statement = {
  name: 'keep-occurrences',
  text: `
with moved as (
  update schedule s
  set next_at = x.next_at,
      skipped = s.skipped + x.skipped
  from unnest($1::integer[], $2::timestamptz[], $3::integer[]) x (id, next_at, skipped)
  where s.id = x.id
)
insert into schedule_run (schedule_id, due_at)
select *
from unnest($4::integer[], $5::timestamptz[])
on conflict do nothing`,
};
