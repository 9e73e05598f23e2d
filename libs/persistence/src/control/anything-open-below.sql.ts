import type { Statement } from '../database/database.js';
import { below } from './control-execution.fragment.js';

/** Whether anything below an execution is open. $1 execution, $2 root. */
export const anythingOpenBelow: Statement = {
  name: 'anything-open-below',
  text: `${below}
select exists (
  select
  from below b
  join fan_out f on f.id = b.id
  join fan_out_tally t on t.fan_out_id = f.id
  where f.spawned > t.succeeded + t.failed + t.cancelled
) as open`,
};
