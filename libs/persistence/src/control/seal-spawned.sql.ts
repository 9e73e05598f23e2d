import type { Statement } from '../database/database.js';

/**
 * A fan-out that was closed and whose verdict stays is complete with what is there: admission serves what comes back of it, without
 * stages, as nobody judges them any more, and its spawner does not go on. $1 fan-out.
 */
export const sealSpawned: Statement = {
  name: 'seal-spawned',
  text: `
with sealed as (
  update fan_out
  set sealed = true,
      closed = false,
      total = spawned,
      released = null
  where id = $1
    and closed
    and (verdict = 'passed'
         or verdict = 'failed' and exists (select from execution p where p.id = fan_out.parent_id and p.state = 'succeeded'))
  returning id
)
update fan_out_admission a
set done = false
from sealed
where a.fan_out_id = sealed.id`,
};
