import type { Statement } from '../../database/database.js';

/** A fan-out as its spawner needs it. $1 fan-out. Zero rows: there is nothing to spawn any more. */
const columns = `
select f.id, f.parent_id, f.root_id, f.node, f.generation, f.priority, f.child_version_id, f.child_path, f.child_node, f.total,
       f.list_id, f.list_frozen, f.keyed, f.keys_checked, f.spawned, f.sealed, f.closed, f.deferred_until, a.cursor as admitted,
       p.version_id as parent_version_id, p.fan_out_id as parent_fan_out_id,
       marked_lineage(f.parent_id) as mark
from fan_out f
join fan_out_admission a on a.fan_out_id = f.id
join execution p on p.id = f.parent_id`;

export const fanOutToSpawn: Statement = {
  name: 'fan-out-to-spawn',
  text: `${columns}
where f.id = $1
  and not f.sealed
  and not f.closed`,
};

/** The same with the control row locked: one spawner at a time works on a fan-out. */
export const lockFanOutToSpawn: Statement = {
  name: 'lock-fan-out-to-spawn',
  text: `${columns}
where f.id = $1
  and not f.sealed
  and not f.closed
for update of f skip locked`,
};

/** Fan-outs whose spawner rests. $1 milliseconds at rest, $2 most fan-outs. */
export const findRestingFanOuts: Statement = {
  name: 'find-resting-fan-outs',
  text: `
select id
from fan_out
where not sealed
  and not closed
  and moved_at < now() - $1 * interval '1 millisecond'
  and (deferred_until is null or deferred_until <= now())
order by moved_at
limit $2`,
};

/** The list is frozen. $1 fan-out, $2 list, $3 number of items (null: not known yet), $4 whether it is complete. */
export const freezeList: Statement = {
  name: 'freeze-list',
  text: `
update fan_out
set list_id = $2,
    total = $3,
    list_frozen = $4,
    moved_at = now()
where id = $1
  and not sealed
  and not closed`,
};

/**
 * The item source has ended: the total is known, the merge may be decided. $1 fan-out, $2 total.
 * Guard: everything was spawned. Zero rows: it is not so, or it is sealed already.
 */
export const sealFanOut: Statement = {
  name: 'seal-fan-out',
  text: `
with sealed as (
  update fan_out
  set sealed = true,
      total = spawned,
      moved_at = now(),
      deferred_until = null,
      deferred_reason = null
  where id = $1
    and spawned = $2
    and not sealed
    and not closed
  returning id
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from sealed
  on conflict do nothing
)
select id
from sealed`,
};

/** The spawner cannot go on. $1 fan-out, $2 reason (JSON text). */
export const failFanOut: Statement = {
  name: 'fail-fan-out',
  text: `
with failed as (
  update fan_out
  set closed = true,
      verdict = 'failed',
      verdict_reason = $2,
      verdict_at = now(),
      moved_at = now()
  where id = $1
    and not sealed
    and not closed
  returning id
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from failed
  on conflict do nothing
)
select id
from failed`,
};

/** The spawner rests until its lead is used up; touched so that the sweep leaves it alone. $1 fan-out. */
export const touchFanOut: Statement = {
  name: 'touch-fan-out',
  text: `
update fan_out
set moved_at = now()
where id = $1`,
};
