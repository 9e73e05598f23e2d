import type { Statement } from '../../database/database.js';

/** Fan-outs that are due, with their parents. $1 most. */
export const findDue: Statement = {
  name: 'find-due',
  text: `
select d.fan_out_id as id, f.parent_id
from fan_out_due d
join fan_out f on f.id = d.fan_out_id
order by d.fan_out_id
limit $1`,
};

/** Locks control rows of fan-outs (their parents are locked before, their tallies after). $1 fan-outs (ascending). */
export const lockDue: Statement = {
  name: 'lock-due',
  text: `
select id, parent_id, root_id, node, merge_node, child_version_id, child_path, round, generation, verdict, sealed, closed or superseded as closed, spawned, total, tolerance,
       (select count(*)::integer from control c where c.fan_out_id = fan_out.id and c.kind = 'redrive') as held
from fan_out
where id = any ($1::bigint[])
order by id
for update`,
};

export const lockTallies: Statement = {
  name: 'lock-tallies',
  text: `
select fan_out_id, succeeded, failed, cancelled
from fan_out_tally
where fan_out_id = any ($1::bigint[])
order by fan_out_id
for update`,
};

/**
 * Takes fan-outs off the due list: only once their tallies are locked. Whoever moves a tally marks the fan-out due behind
 * the tally's lock, so a mark is either taken here together with what it stands for, or made after this commit.
 * $1 fan-outs.
 */
export const takeDue: Statement = {
  name: 'take-due',
  text: `
delete from fan_out_due
where fan_out_id = any ($1::bigint[])`,
};

/**
 * Writes verdicts. $1 fan-outs, $2 rounds they were decided in, $3 verdicts, $4 reasons, $5 whether the fan-out closes early.
 * Guard: the round is still the same and open (I5).
 */
export const giveVerdicts: Statement = {
  name: 'give-verdicts',
  text: `
update fan_out f
set verdict = x.verdict,
    verdict_reason = x.reason,
    verdict_at = now(),
    closed = f.closed or x.closes
from unnest($1::bigint[], $2::integer[], $3::merge_verdict[], $4::text[], $5::boolean[]) x (id, round, verdict, reason, closes)
where f.id = x.id
  and f.round = x.round
  and f.verdict = 'open'
returning f.id`,
};

/** The first failed and the first cancelled child, for the reason of a failed verdict. $1 first id, $2 last id. */
export const firstFailures: Statement = {
  name: 'first-failures',
  text: `
select id, state, error
from execution
where id between $1 and $2
  and state in ('failed', 'cancelled')
order by id
limit 1`,
};

/**
 * Results of all children in item order, for a merge that inlines them. $1 first id, $2 last id, $3 nodes whose outputs are
 * the child's, $4 most children.
 */
export const inlineResults: Statement = {
  name: 'inline-results',
  text: `
select e.id, e.state, e.item_key, e.error, t.nodes, t.outputs
from execution e
cross join lateral (
  select array_agg(node order by node) as nodes, array_agg(output order by node) as outputs
  from task
  where execution_id = e.id
    and node = any ($3::smallint[])
    and state = 'succeeded'
) t
where e.id between $1 and $2
order by e.id
limit $4`,
};

/** Commands that move many rows later. */
export const addControl: Statement = {
  name: 'add-control',
  text: `
insert into control (kind, execution_id, root_id, fan_out_id, round, filter)
values ($1::control_kind, $2, $3, $4, $5, $6)
returning id`,
};
