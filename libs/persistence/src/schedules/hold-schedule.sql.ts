import type { Statement } from '../database/database.js';
import { scheduleColumns } from './schedule-columns.js';

/** One schedule, held to the end of the transaction, with the database's time. $1 name. Zero rows: there is none. */
export const holdSchedule: Statement = {
  name: 'hold-schedule',
  text: `
select ${scheduleColumns}
from schedule s
where s.name = $1
for update`,
};
