import type { Statement } from '../../database/database.js';

/** The incarnations of an executor process that is known to be dead. $1 name. */
export const markNamedLost: Statement = {
  name: 'mark-named-lost',
  text: `
update executor
set state = 'lost',
    ended_at = now()
where name = $1
  and state in ('live', 'draining')
returning id`,
};
