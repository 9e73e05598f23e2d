import type { Statement } from '../database/database.js';

/**
 * An operator lets rollouts go on: what stopped at its failure ratio when the execution is resumed ($2 'stopped'), what asks
 * for approval when it is given ('approval'). $1 parent, $2 what held, $3 spawner (null: every one).
 * Returns the fan-outs.
 */
export const acceptStages: Statement = {
  name: 'accept-stages',
  text: `
with accepted as (
  update fan_out
  set stage_hold = 'accepted'
  where parent_id = $1
    and stage_hold = $2::stage_hold
    and ($3::smallint is null or node = $3)
    and not closed
    and not superseded
  returning id
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from accepted
  on conflict (fan_out_id) do update set due_at = now()
)
select id
from accepted`,
};
