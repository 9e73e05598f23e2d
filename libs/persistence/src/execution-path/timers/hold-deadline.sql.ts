import type { Statement } from '../../database/database.js';

/** A deadline that fell due just before a pause takes effect at resume. $1 execution, $2 root. */
export const holdDeadline: Statement = {
  name: 'hold-deadline',
  text: `
insert into timer (kind, execution_id, root_id, due_at, held)
values ('deadline', $1, $2, now(), true)`,
};
