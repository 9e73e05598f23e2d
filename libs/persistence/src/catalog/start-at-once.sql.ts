import type { Statement } from '../database/database.js';
import { bornExecution } from './born-execution.fragment.js';

/**
 * Starts an execution of a pipeline's newest version in one round trip, which is its transaction.
 * $1-$8 those of the fragment, $9 text: pipeline, $10 int: the version that was the newest. Guard: it still is, the pipeline takes
 * executions, and no quota counts them. Zero rows: one of it is not so, and nothing has changed.
 */
export const startAtOnce: Statement = {
  name: 'start-at-once',
  text: `
with held as (
  select name
  from pipeline
  where name = $9
    and deleted_at is null
    and enabled
    and latest_version = $10
    and not exists (select from quota where scope in ('all', $9) and max_open_executions is not null)
  for share
), ${bornExecution('from held')}`,
};
