import type { Statement } from '../database/database.js';

/**
 * Ids of the versions of a pipeline.
 * $1 text: name. Zero rows: it was never published.
 */
export const versionIds: Statement = {
  name: 'version-ids',
  text: `
select id
from pipeline_version
where name = $1`,
};
