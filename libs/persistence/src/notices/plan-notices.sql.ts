import type { Statement } from '../database/database.js';

/**
 * Counts outcomes of executions and keeps the notices that their hooks ask for, in the transaction of the outcome.
 *
 * Parameters: $1 executions, $2 their outcomes; $3 executions and $4 positions of the hooks that ask for this outcome.
 * Guard: `notice_round` gives each outcome a round of its own, so a notice is there once for an outcome and hook. The facts
 * are those of this transaction: time, failure and the counts of the newest fan-outs. Zero rows: nobody asked.
 */
export const planNotices: Statement = {
  name: 'plan-notices',
  text: `
with outcomes as (
  select *
  from unnest($1::uuid[], $2::text[]) x (execution_id, outcome)
), rounds as (
  insert into notice_round (execution_id)
  select execution_id
  from outcomes
  order by execution_id
  on conflict (execution_id) do update
  set rounds = notice_round.rounds + 1
  returning execution_id, rounds
)
insert into notice (execution_id, round, hook, outcome, error, fan_outs)
select r.execution_id,
       r.rounds,
       h.hook,
       o.outcome,
       e.error,
       coalesce((
         select json_agg(json_build_object('node', f.node, 'total', f.total, 'succeeded', t.succeeded, 'failed', t.failed, 'cancelled', t.cancelled) order by f.node)::text
         from fan_out f
         join fan_out_tally t on t.fan_out_id = f.id
         where f.parent_id = r.execution_id
           and not f.superseded
       ), '[]')
from unnest($3::uuid[], $4::smallint[]) h (execution_id, hook)
join outcomes o on o.execution_id = h.execution_id
join rounds r on r.execution_id = h.execution_id
join execution e on e.id = h.execution_id`,
};
