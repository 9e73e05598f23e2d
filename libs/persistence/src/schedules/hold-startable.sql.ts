import type { Statement } from '../database/database.js';
import { scheduleColumns } from './schedule-columns.js';

/** A schedule whose occurrences are to be started, held. $1 schedule. Zero rows: somebody else has it, or it is gone or disabled. */
export const holdStartable: Statement = {
  name: 'hold-startable',
  text: `
select ${scheduleColumns}
from schedule s
where s.id = $1
  and s.enabled
for update of s skip locked`,
};
