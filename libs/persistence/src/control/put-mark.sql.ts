import type { Statement } from '../database/database.js';

/** $1 execution, $2 root, $3 kind, $4 whether it reaches what is below, $5 the state it was in, $6 why, where no operator did it. */
export const putMark: Statement = {
  name: 'put-mark',
  text: `
insert into mark (execution_id, root_id, kind, cascade, from_state, reason)
values ($1, $2, $3::mark_kind, $4, $5::execution_state, $6)
on conflict (execution_id, fan_out_id) do update
set kind = excluded.kind,
    cascade = excluded.cascade,
    reason = excluded.reason,
    from_state = case when mark.kind = 'release' then excluded.from_state else mark.from_state end`,
};
