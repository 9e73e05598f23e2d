import { executionTo } from '../database/moves.js';

/**
 * The birth of a top-level execution with its first event: pending, in its place among those that wait to be laid out; or ready
 * at once, where all its admission needs to know is known (`task.ready` is then the caller's).
 * $1 uuid: id, $2 int: version id, $3 smallint: priority, $4 text: input, $5 text: labels or null, $6 text: trace id,
 * $7 text: business key or null, $8 interval: time until its deadline or null.
 * @param source what it is selected from: no row there, none is born
 * @param begins a condition: whether it is ready at once
 */
export const bornExecution = (source: string, begins = 'false'): string => `
execution_row as (
  insert into execution (id, version_id, seq, state, priority, input, labels, trace_id, business_key, deadline_at)
  select $1::uuid, $2::integer,
         case when ${begins} then 2 else 1 end,
         case when ${begins} then ${executionTo('admit')} else 'pending' end,
         $3::smallint, $4::text, $5::text, $6::text, $7::text, now() + $8::interval
  ${source}
  returning id, seq, created_at, deadline_at
), facts as (
  insert into event (execution_id, seq, kind)
  select id, n, (array['created', 'ready'])[n]::event_kind
  from execution_row, generate_series(1, seq) n
), deadline as (
  insert into timer (kind, execution_id, root_id, due_at)
  select 'deadline', id, id, deadline_at
  from execution_row
  where deadline_at is not null
), waiting as (
  insert into intake (execution_id)
  select id
  from execution_row
  where seq = 1
)`;
