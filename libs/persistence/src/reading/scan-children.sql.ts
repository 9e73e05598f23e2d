import type { Statement } from '../database/database.js';

/**
 * Looks through a bounded run of children in item order and picks those that match.
 * $1 uuid: after this id, $2 uuid: up to this id, $3 int: look at so many, $4 int: pick at most so many,
 * $5 execution_state[] or null, $6 text: fingerprint or null, $7 text: to be found in key, item or error, or null,
 * $8 uuid: only below this root, or null, $9 int[]: version ids or null, $10 timestamptz: created since, or null,
 * $11 jsonb: labels or null.
 * One row: the ids picked, the last id looked at (null when the range has ended) and how many were looked at.
 */
export const scanChildren: Statement = {
  name: 'scan-children',
  text: `
with scanned as materialized (
  select id, fan_out_id, state, fingerprint, item_key, item, input, error, version_id, created_at, labels
  from execution
  where id > $1
    and id <= $2
  order by id
  limit $3
)
select array(
    select s.id
    from scanned s
    where ($5::execution_state[] is null or s.state = any($5))
      and ($6::text is null or s.fingerprint = $6)
      and ($7::text is null
        or strpos(lower(coalesce(s.item_key, '')), lower($7)) > 0
        or strpos(lower(coalesce(s.item, s.input)), lower($7)) > 0
        or strpos(lower(coalesce(s.error, '')), lower($7)) > 0)
      and ($8::uuid is null
        or exists (select from fan_out f where f.id = s.fan_out_id and f.root_id = $8))
      and ($9::int[] is null or s.version_id = any($9))
      and ($10::timestamptz is null or s.created_at >= $10)
      and ($11::jsonb is null or s.labels::jsonb @> $11)
    order by s.id
    limit $4
  )::text[] as ids,
  (select s.id from scanned s order by s.id desc limit 1) as "lastId",
  (select count(*) from scanned) as scanned`,
};
