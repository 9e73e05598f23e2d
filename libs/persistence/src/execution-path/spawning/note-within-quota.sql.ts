import type { Statement } from '../../database/database.js';

/** From now on all children of a fan-out count, also those that are yet to be spawned. $1 fan-out. */
export const noteWithinQuota: Statement = {
  name: 'note-within-quota',
  text: `
update fan_out
set within_quota = true
where id = $1`,
};
