import type { Statement } from '../database/database.js';

/**
 * Holds a pipeline as it is while an execution of it is started, so that it cannot be deleted in between.
 * $1 name. Zero rows: it does not exist.
 */
export const lockPipeline: Statement = {
  name: 'lock-pipeline',
  text: `
select enabled, latest_version as "latestVersion"
from pipeline
where name = $1
  and deleted_at is null
for share`,
};
