import type { Statement } from '../database/database.js';

/** Adds what was counted to the trigger's own row. $1 trigger, $2 most rows. Zero rows: nothing was, or somebody else is adding it. */
export const sumMessageCounts: Statement = {
  name: 'sum-message-counts',
  text: `
with some as (
  select id
  from message_count
  where trigger_id = $1
  order by id
  limit $2
  for update skip locked
), gone as (
  delete from message_count m
  using some
  where m.id = some.id
  returning m.received, m.started, m.duplicates, m.refused
)
update trigger t
set received = t.received + x.received,
    started = t.started + x.started,
    duplicates = t.duplicates + x.duplicates,
    refused = t.refused + x.refused
from (select sum(received) as received, sum(started) as started, sum(duplicates) as duplicates, sum(refused) as refused, count(*) as rows
      from gone) x
where t.id = $1
  and x.rows > 0`,
};
