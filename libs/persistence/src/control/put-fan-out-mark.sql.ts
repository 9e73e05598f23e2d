import type { Statement } from '../database/database.js';

/** The children of one fan-out are paused or cancelled, with all below them. $1 parent, $2 fan-out, $3 root, $4 kind. */
export const putFanOutMark: Statement = {
  name: 'put-fan-out-mark',
  text: `
insert into mark (execution_id, fan_out_id, root_id, kind)
values ($1, $2, $3, $4::mark_kind)
on conflict (execution_id, fan_out_id) do update
set kind = excluded.kind,
    at = now()`,
};
