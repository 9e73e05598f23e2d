import type { Statement } from '../database/database.js';

/** $1 version id. */
export const findVersion: Statement = {
  name: 'find-version',
  text: `
select name, version, definition
from pipeline_version
where id = $1`,
};
