import type { Statement } from '../../database/database.js';

/**
 * Inserts one spawn batch and its first events, and moves the spawn cursor, all or nothing.
 *
 * Parameters: $1 fan-out, $2 child ids in item order, $3 inputs, $4 items (null: same as the input), $5 item keys,
 * $6 version of the child, $7 priority, $8 the cursor the batch starts at.
 * Guard: the cursor is still where the batch starts, and the fan-out is neither sealed nor closed.
 * Zero rows: somebody else spawned this batch; the caller rolls back. `attached` counts children that were there already.
 */
export const spawnChildren: Statement = {
  name: 'spawn-children',
  text: `
with born as (
  insert into execution (id, fan_out_id, version_id, seq, state, priority, input, item, item_key)
  select x.id, $1, $6, 1, 'pending', $7, x.input, x.item, x.item_key
  from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) x (id, input, item, item_key)
  on conflict (id) do nothing
  returning id
), facts as (
  insert into event (execution_id, seq, kind)
  select id, 1, 'created'
  from born
)
update fan_out
set spawned = spawned + cardinality($2::uuid[]),
    attached = attached + cardinality($2::uuid[]) - (select count(*)::integer from born),
    moved_at = now()
where id = $1
  and spawned = $8
  and not sealed
  and not closed
returning spawned, attached`,
};
