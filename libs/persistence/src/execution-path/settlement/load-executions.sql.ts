import { batchFirst } from '../../database/batch-rows.js';
import type { Statement } from '../../database/database.js';

/**
 * Takes recorded batches off the table (until the transaction ends, nobody else sees them) and names the executions in
 * them. $1 batches. Zero rows: settled already.
 */
export const takeRecorded: Statement = {
  name: 'take-recorded',
  text: `
with b as (
  select id, ids
  from recorded_batch
  where id = any ($1::bigint[])
  for update skip locked
), gone as (
  delete from recorded_batch
  using b
  where recorded_batch.id = b.id
)
select distinct unnest(ids) as id
from b`,
};

/** Recorded batches that lie about: the work of the unsettled sweep. $1 age in milliseconds, $2 most batches. */
export const findUnsettled: Statement = {
  name: 'find-unsettled',
  text: `
select id
from recorded_batch
where at < now() - $1 * interval '1 millisecond'
order by id
limit $2`,
};

/** Executions with their tasks, one row a task (at least one row an execution). $1 executions. */
export const loadExecutions: Statement = {
  name: 'load-executions',
  text: `
select e.id, e.seq, e.state, e.fan_out_id, e.version_id, e.priority,
       t.node, t.state as task_state, t.attempt, t.charged, t.snoozes, t.losses, t.unbegun, t.outcome, t.snooze_ms,
       case when t.state in ('recorded', 'failed') then t.error end as error
from unnest($1::uuid[]) with ordinality x (id, n)
join execution e on e.id = x.id
left join task t on t.execution_id = e.id
where ${batchFirst('x.n')}`,
};

/** The same, the execution rows locked in id order first by lock-executions. */
export const lockExecutions: Statement = {
  name: 'lock-executions',
  text: `
select id
from execution
where id = any ($1::uuid[])
order by id
for update`,
};

/** Inputs of executions whose plan reads them. $1 executions. */
export const loadPayloads: Statement = {
  name: 'load-payloads',
  text: `
select id, input, item, labels
from execution
where id = any ($1::uuid[])`,
};

/** Outputs of settled tasks. $1 executions. */
export const loadOutputs: Statement = {
  name: 'load-outputs',
  text: `
select execution_id, node, output
from task
where execution_id = any ($1::uuid[])
  and state in ('recorded', 'succeeded')`,
};

/** The latest generation of each spawner of these executions. $1 executions. */
export const loadFanOuts: Statement = {
  name: 'load-fan-outs',
  text: `
select distinct on (parent_id, node) id, parent_id, node, total, sealed, closed, verdict, verdict_reason
from fan_out
where parent_id = any ($1::uuid[])
  and not superseded
order by parent_id, node, generation desc`,
};

/** What never changes of fan-outs. $1 fan-outs. */
export const loadFanOutFacts: Statement = {
  name: 'load-fan-out-facts',
  text: `
select id, parent_id, root_id, node, depth, priority, child_version_id, child_path, queue
from fan_out
where id = any ($1::bigint[])`,
};

/** Executions of recorded batches, left where they are. $1 batches. */
export const recordedIn: Statement = {
  name: 'recorded-in',
  text: `
select distinct unnest(ids) as id
from recorded_batch
where id = any ($1::bigint[])
order by 1`,
};

/** $1 batches. */
export const dropRecorded: Statement = {
  name: 'drop-recorded',
  text: `
delete from recorded_batch
where id = any ($1::bigint[])`,
};

/** What an attempt brought is refused for good: its data goes, a permanent failure stays. $1 execution, $2 failure. */
export const refusePayload: Statement = {
  name: 'refuse-payload',
  text: `
update task
set outcome = 'failed',
    output = null,
    error = $2
where execution_id = $1
  and state = 'recorded'`,
};
