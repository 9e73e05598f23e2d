import type { Statement } from '../database/database.js';

/** Limits of a definition's own nodes and pipelines. $1 names, $2 limits. */
export const putOwnLimits: Statement = {
  name: 'put-own-limits',
  text: `
insert into destination (name, max_concurrency, implicit)
select x.name, x.max_concurrency, true
from unnest($1::text[], $2::integer[]) x (name, max_concurrency)
order by x.name
on conflict (name) do update
set max_concurrency = excluded.max_concurrency,
    updated_at = now()
where destination.max_concurrency is distinct from excluded.max_concurrency`,
};
