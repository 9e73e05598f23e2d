import type { Statement } from '../../database/database.js';

/**
 * What one observer sees replaces what it saw before. It counts for $4 milliseconds, so that what a dead observer saw is forgotten;
 * rows whose time is over go. $1 observer, $2 kinds, $3 details, one of each.
 */
export const reportPressure: Statement = {
  name: 'report-pressure',
  text: `
with known as (
  select kind, source
  from pressure
  where source = $1
     or until < now()
  order by kind, source
  for update
), gone as (
  delete from pressure p
  using known
  where p.kind = known.kind
    and p.source = known.source
    and not (p.source = $1 and p.kind = any ($2::text[]))
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
