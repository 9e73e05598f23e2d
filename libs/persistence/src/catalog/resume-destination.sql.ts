import type { Statement } from '../database/database.js';

/** It may be called again. $1 name. Zero rows: there is none. */
export const resumeDestination: Statement = {
  name: 'resume-destination',
  text: `
update destination
set paused_at = null
where name = $1
returning name`,
};
