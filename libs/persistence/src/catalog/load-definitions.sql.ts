import type { Statement } from '../database/database.js';

/**
 * Definitions of versions.
 * $1 int[]: version ids.
 */
export const loadDefinitions: Statement = {
  name: 'load-definitions',
  text: `
select id, name, version, definition
from pipeline_version
where id = any($1)`,
};
