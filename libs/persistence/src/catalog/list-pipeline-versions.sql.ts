import type { Statement } from '../database/database.js';

/**
 * Versions of a pipeline, newest first.
 * $1 name, $2 int: before this version, null from the newest, $3 int: at most so many.
 */
export const listPipelineVersions: Statement = {
  name: 'list-pipeline-versions',
  text: `
select name, version, created_at as "publishedAt"
from pipeline_version
where name = $1
  and ($2::int is null or version < $2)
order by version desc
limit $3`,
};
