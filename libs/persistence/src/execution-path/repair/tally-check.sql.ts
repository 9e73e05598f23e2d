import type { Statement } from '../../database/database.js';

/** Fan-outs whose verdict is open, to be checked in turns. $1 number to go on after, $2 most. */
export const openFanOuts: Statement = {
  name: 'open-fan-outs',
  text: `
select id, root_id
from fan_out
where verdict = 'open'
  and id > $1
order by id
limit $2`,
};

const counts = `
select count(*) filter (where e.state = 'succeeded')::integer as succeeded,
       count(*) filter (where e.state = 'failed')::integer as failed,
       count(*) filter (where e.state = 'cancelled')::integer as cancelled,
       count(*) filter (where e.state = 'paused')::integer as paused
from execution e
where e.id between fan_out_first_child(f.root_id, f.id) and fan_out_last_child(f.root_id, f.id)`;

/** Tally against children in one snapshot. $1 fan-out. Zero rows: they agree. */
export const findDrift: Statement = {
  name: 'find-drift',
  text: `
select t.succeeded, t.failed, t.cancelled, t.paused, x.succeeded as real_succeeded, x.failed as real_failed,
       x.cancelled as real_cancelled, x.paused as real_paused
from fan_out f
join fan_out_tally t on t.fan_out_id = f.id
cross join lateral (${counts}) x
where f.id = $1
  and (t.succeeded, t.failed, t.cancelled, t.paused) is distinct from (x.succeeded, x.failed, x.cancelled, x.paused)`,
};

/** Sets a tally to what its children say; the tally is locked by lock-tallies before. $1 fan-out. */
export const healTally: Statement = {
  name: 'heal-tally',
  text: `
with healed as (
  update fan_out_tally t
  set succeeded = x.succeeded,
      failed = x.failed,
      cancelled = x.cancelled,
      paused = x.paused
  from fan_out f
  cross join lateral (${counts}) x
  where f.id = $1
    and t.fan_out_id = f.id
  returning t.fan_out_id
)
insert into fan_out_due (fan_out_id)
select fan_out_id
from healed
on conflict do nothing`,
};
