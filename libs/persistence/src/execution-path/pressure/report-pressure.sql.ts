import type { Statement } from '../../database/database.js';

/**
 * What one observer sees replaces what it saw before. It counts for $4 milliseconds, so that what a dead observer saw is forgotten.
 * $1 observer, $2 kinds, $3 details, one of each.
 */
export const reportPressure: Statement = {
  name: 'report-pressure',
  text: `
with gone as (
  delete from pressure
  where source = $1
    and kind <> all ($2::text[])
)
insert into pressure (kind, source, until, detail)
select kind, $1, now() + $4 * interval '1 millisecond', detail
from unnest($2::text[], $3::text[]) x (kind, detail)
order by kind
on conflict (kind, source) do update
set until = excluded.until,
    detail = excluded.detail,
    since = case when pressure.until < now() then now() else pressure.since end`,
};
