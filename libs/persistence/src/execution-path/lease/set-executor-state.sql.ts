import type { Statement } from '../../database/database.js';

/** $1 incarnation, $2 state. A lost incarnation stays lost. */
export const setExecutorState: Statement = {
  name: 'set-executor-state',
  text: `
update executor
set state = $2,
    ended_at = case when $2 = 'ended' then now() end
where id = $1
  and state in ('live', 'draining')`,
};
