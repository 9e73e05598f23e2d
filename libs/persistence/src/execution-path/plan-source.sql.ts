import type { Statement } from '../database/database.js';

/** $1 version id. */
export const findVersion: Statement = {
  name: 'find-version',
  text: `
select name, version, definition
from pipeline_version
where id = $1`,
};

/** $1 name, $2 version (null: the latest). */
export const latestVersion: Statement = {
  name: 'latest-version',
  text: `
select v.id
from pipeline p
join pipeline_version v on v.name = p.name
where p.name = $1
  and p.deleted_at is null
  and v.version = coalesce($2::integer, p.latest_version)`,
};

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
