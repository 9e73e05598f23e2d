import type { Statement } from '../../database/database.js';

/** One heartbeat. $1 incarnation, $2 free slots. Zero rows: the incarnation is not known, so it is lost. */
export const beat: Statement = {
  name: 'beat',
  text: `
update executor
set seen_at = case when state in ('live', 'draining') then now() else seen_at end,
    free_slots = $2
where id = $1
returning state`,
};
