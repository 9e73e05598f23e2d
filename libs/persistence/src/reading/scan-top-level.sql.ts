import type { Statement } from '../database/database.js';

/**
 * Looks through a bounded run of top-level executions, newest first, and picks those that match.
 * $1 uuid: before this id, $2 uuid: down to this id, $3 int: look at so many, $4 int: pick at most so many,
 * $5 execution_state[] or null, $6 int[]: version ids or null, $7 timestamptz: created since, or null,
 * $8 jsonb: labels or null.
 * One row: the ids picked, the last id looked at (null when there is no more) and how many were looked at.
 */
export const scanTopLevel: Statement = {
  name: 'scan-top-level',
  text: `
with scanned as materialized (
  select id, state, version_id, created_at, labels
  from execution
  where fan_out_id is null
    and id < $1
    and id >= $2
  order by id desc
  limit $3
)
select array(
    select s.id
    from scanned s
    where ($5::execution_state[] is null or s.state = any($5))
      and ($6::int[] is null or s.version_id = any($6))
      and ($7::timestamptz is null or s.created_at >= $7)
      and ($8::jsonb is null or s.labels::jsonb @> $8)
    order by s.id desc
    limit $4
  )::text[] as ids,
  (select s.id from scanned s order by s.id limit 1) as "lastId",
  (select count(*) from scanned) as scanned`,
};
