import type { Statement } from '../database/database.js';

/**
 * Sets the quota of a scope.
 * $1 scope, $2 int: open executions or null, $3 int: children per fan-out or null.
 */
export const putQuota: Statement = {
  name: 'put-quota',
  text: `
insert into quota (scope, max_open_executions, max_children_per_fan_out)
values ($1, $2, $3)
on conflict (scope) do update
set max_open_executions = excluded.max_open_executions,
  max_children_per_fan_out = excluded.max_children_per_fan_out`,
};
