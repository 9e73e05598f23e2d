import type { Statement } from '../database/database.js';

/**
 * Pipelines by name with their newest version.
 * $1 text: after this name, null from the start. $2 int: at most so many. Deleted ones do not count.
 */
export const listPipelines: Statement = {
  name: 'list-pipelines',
  text: `
select p.name, p.enabled, p.created_at as "createdAt", v.id as "versionId", v.version, v.created_at as "publishedAt"
from pipeline p
join pipeline_version v on v.name = p.name and v.version = p.latest_version
where p.deleted_at is null
  and ($1::text is null or p.name > $1 collate "C")
order by p.name collate "C"
limit $2`,
};
