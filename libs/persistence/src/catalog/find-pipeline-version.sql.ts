import type { Statement } from '../database/database.js';

/**
 * One version of a pipeline, deleted or not: executions hold on to it.
 * $1 name, $2 version. Zero rows: it was never published.
 */
export const findPipelineVersion: Statement = {
  name: 'find-pipeline-version',
  text: `
select v.id as "versionId", v.name, v.version, v.definition, v.created_at as "publishedAt",
  p.enabled, p.deleted_at is not null as deleted
from pipeline_version v
join pipeline p on p.name = v.name
where v.name = $1
  and v.version = $2`,
};
