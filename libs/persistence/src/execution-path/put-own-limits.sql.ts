import type { Statement } from '../database/database.js';

/** Limits of a definition's own nodes and pipelines. $1 names, $2 limits (null: none), $3 whether they give way to pressure. */
export const putOwnLimits: Statement = {
  name: 'put-own-limits',
  text: `
insert into destination (name, max_concurrency, yields, implicit)
select x.name, x.max_concurrency, x.yields, true
from unnest($1::text[], $2::integer[], $3::boolean[]) x (name, max_concurrency, yields)
order by x.name
on conflict (name) do update
set max_concurrency = excluded.max_concurrency,
    yields = excluded.yields,
    updated_at = now()
where (destination.max_concurrency, destination.yields) is distinct from (excluded.max_concurrency, excluded.yields)`,
};
