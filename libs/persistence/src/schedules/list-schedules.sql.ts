import type { Statement } from '../database/database.js';
import { scheduleColumns } from './schedule-columns.js';

/** Schedules by name. $1 after this name, null from the start. $2 at most so many. $3 only this one, or null. */
export const listSchedules: Statement = {
  name: 'list-schedules',
  text: `
select ${scheduleColumns}
from schedule s
where ($1::text is null or s.name > $1 collate "C")
  and ($3::text is null or s.name = $3)
order by s.name collate "C"
limit $2`,
};
