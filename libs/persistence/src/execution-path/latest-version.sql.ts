import type { Statement } from '../database/database.js';

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
