import type { Statement } from '../../database/database.js';

/**
 * Fan-outs of which as much has ended as a verdict or the next stage of a rollout needs are marked due, should nothing have done it:
 * a look that was not needed changes nothing. $1 fan-outs.
 */
export const markUnjudged: Statement = {
  name: 'mark-unjudged',
  text: `
insert into fan_out_due (fan_out_id)
select f.id
from fan_out f
join fan_out_tally t on t.fan_out_id = f.id
where f.id = any ($1::bigint[])
  and f.verdict = 'open'
  and not f.superseded
  and (f.sealed and t.succeeded + t.failed + t.cancelled >= f.spawned
       or (f.stage_hold is null or f.stage_hold = 'accepted')
          and t.succeeded + t.failed + t.cancelled >= least(f.released, f.spawned))
order by f.id
on conflict do nothing`,
};
