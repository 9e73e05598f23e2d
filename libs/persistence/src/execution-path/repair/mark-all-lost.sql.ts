import type { Statement } from '../../database/database.js';

/** All incarnations: the data folder's lock proves them dead. */
export const markAllLost: Statement = {
  name: 'mark-all-lost',
  text: `
update executor
set state = 'lost',
    ended_at = now()
where state in ('live', 'draining')
returning id`,
};
