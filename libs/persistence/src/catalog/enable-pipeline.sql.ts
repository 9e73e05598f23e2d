import type { Statement } from '../database/database.js';

/**
 * Switches starting executions of a pipeline on or off.
 * $1 name, $2 boolean. Zero rows: there is no such pipeline.
 */
export const enablePipeline: Statement = {
  name: 'enable-pipeline',
  text: `
update pipeline
set enabled = $2
where name = $1
  and deleted_at is null
returning name`,
};
