/**
 * The birth of a top-level execution, pending, with its first event and its place among those that wait to be laid out.
 * $1 uuid: id, $2 int: version id, $3 smallint: priority, $4 text: input, $5 text: labels or null, $6 text: trace id,
 * $7 text: business key or null, $8 interval: time until its deadline or null.
 * @param source what it is selected from: no row there, none is born
 */
export const bornExecution = (source: string): string => `
execution_row as (
  insert into execution (id, version_id, seq, state, priority, input, labels, trace_id, business_key, deadline_at)
  select $1::uuid, $2::integer, 1, 'pending', $3::smallint, $4::text, $5::text, $6::text, $7::text, now() + $8::interval
  ${source}
  returning id, created_at, deadline_at
), first_event as (
  insert into event (execution_id, seq, kind)
  select id, 1, 'created'
  from execution_row
), deadline as (
  insert into timer (kind, execution_id, root_id, due_at)
  select 'deadline', id, id, deadline_at
  from execution_row
  where deadline_at is not null
), waiting as (
  insert into intake (execution_id)
  select id
  from execution_row
)
select created_at as "createdAt"
from execution_row`;
