import type { Statement } from '../database/database.js';
import { executionFrom, executionTo } from '../database/moves.js';
import { hasPlace } from '../execution-path/open-child.fragment.js';
import { endedExecution } from './ended-execution.fragment.js';

/**
 * Fails one execution from outside; its open tasks are cancelled. $1 execution, $2 failure (JSON text), $3 its fingerprint.
 * Zero rows: it has settled.
 */
export const failExecution: Statement = {
  name: 'fail-execution',
  text: `
with old as (
  select id, state, ${hasPlace('execution')} as open
  from execution
  where id = $1
), cut as (
  select node, attempt, row_number() over (order by node)::integer as n
  from task
  where execution_id = $1
    and state in ('running', 'recorded')
), moved as (
  update execution e
  set state = ${executionTo('fail')},
      seq = e.seq + 1 + (select count(*)::integer from cut),
      error = $2,
      fingerprint = $3,
      finished_at = now()
  from old
  where e.id = old.id
    and e.state = ${executionFrom('fail')}
  returning e.id, e.seq, e.fan_out_id, old.state as from_state, old.open
), attempts as (
  insert into event (execution_id, seq, kind, node, attempt, data)
  select m.id, m.seq - 1 - (select count(*)::integer from cut) + cut.n, 'attempt_ended', cut.node, cut.attempt,
         '{"outcome":"CANCELLED","charged":true,"error":' || $2 || '}'
  from moved m
  cross join cut
), facts as (
  insert into event (execution_id, seq, kind, data)
  select id, seq, 'failed', '{"error":' || $2 || '}'
  from moved
${endedExecution('failed')}
select from_state, fan_out_id
from moved`,
};
