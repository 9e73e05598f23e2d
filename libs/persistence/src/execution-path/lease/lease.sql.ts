import type { Statement } from '../../database/database.js';

/** $1 name, $2 slots, $3 queues, $4 handlers, $5 lease and $6 heartbeat in milliseconds. */
export const registerExecutor: Statement = {
  name: 'register-executor',
  text: `
insert into executor (name, slots, free_slots, queues, handlers, lease_ms, heartbeat_ms)
values ($1, $2, $2, $3, $4, $5, $6)
returning id`,
};

/** One heartbeat. $1 incarnation, $2 free slots. Zero rows: the incarnation is not known, so it is lost. */
export const beat: Statement = {
  name: 'beat',
  text: `
update executor
set seen_at = case when state in ('live', 'draining') then now() else seen_at end,
    free_slots = $2
where id = $1
returning state`,
};

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

/** Tasks that an incarnation has claimed and not recorded. $1 incarnation. */
export const heldTasks: Statement = {
  name: 'held-tasks',
  text: `
select t.execution_id, t.node, t.fencing_token, b.id as batch_id
from claim_batch b
cross join lateral unnest(b.ids) x (id)
join task t on t.execution_id = x.id and t.node = b.node and t.shard = 0
where b.incarnation = $1
  and t.incarnation = $1
  and t.state = 'running'`,
};

export const longestLease: Statement = {
  name: 'longest-lease',
  text: `
select coalesce(max(lease_ms), 15000) as ms
from executor
where state in ('live', 'draining')`,
};
