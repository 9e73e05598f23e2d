import type { Statement } from '../database/database.js';

/** $1 name. What it started goes on. Zero rows: there is none. */
export const deleteSchedule: Statement = {
  name: 'delete-schedule',
  text: `
delete from schedule
where name = $1`,
};
