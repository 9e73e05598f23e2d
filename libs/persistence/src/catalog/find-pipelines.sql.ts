import type { Statement } from '../database/database.js';

/**
 * Pipelines with their newest version.
 * $1 text[]: names. Guard: deleted ones do not count. A name without a row does not exist.
 */
export const findPipelines: Statement = {
  name: 'find-pipelines',
  text: `
select p.name, p.enabled, p.created_at as "createdAt", v.id as "versionId", v.version, v.definition,
  v.definition_hash as "definitionHash", v.created_at as "publishedAt"
from pipeline p
join pipeline_version v on v.name = p.name and v.version = p.latest_version
where p.name = any($1)
  and p.deleted_at is null`,
};
