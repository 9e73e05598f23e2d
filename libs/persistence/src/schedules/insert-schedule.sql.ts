import type { Statement } from '../database/database.js';

/**
 * A new schedule. $1 name, $2 pipeline, $3 version or null, $4 cron, $5 time zone, $6 input, $7 labels or null, $8 priority,
 * $9 overlap, $10 missed, $11 its limit, $12 enabled, $13 next occurrence or null.
 * Guard: the name is free. Zero rows: it is not.
 */
export const insertSchedule: Statement = {
  name: 'insert-schedule',
  text: `
insert into schedule (name, pipeline, version, cron, time_zone, input, labels, priority, overlap, missed, missed_limit, enabled, next_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict (name) do nothing
returning name`,
};
