import type { Statement } from '../database/database.js';

/**
 * Failed children of one fan-out by cause, most frequent first.
 * $1 uuid: first id, $2 uuid: last id of its range. The sample is the first child of its group.
 */
export const groupFailures: Statement = {
  name: 'group-failures',
  text: `
select g.fingerprint, g.count, s.id as "sampleId", s.error
from (
  select coalesce(fingerprint, '') as fingerprint, count(*) as count, min(id::text)::uuid as sample_id
  from execution
  where id >= $1
    and id <= $2
    and state = 'failed'
  group by 1
) g
join execution s on s.id = g.sample_id
order by g.count desc, g.fingerprint`,
};
