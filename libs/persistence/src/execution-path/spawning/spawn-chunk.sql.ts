import type { Statement } from '../../database/database.js';

/**
 * Like spawn-children, for the plain case: every item of one frozen chunk becomes the input of a child as it is. The
 * chunk never leaves the database; the \`json\` type keeps each element's exact text.
 *
 * Parameters: $1 fan-out, $2 id prefix of its children, $3 list, $4 first index of the chunk, $5 version of the child,
 * $6 priority, $7 the cursor the batch starts at (within the chunk), $8 most children to spawn.
 * Guard and zero rows: as spawn-children.
 */
export const spawnChunk: Statement = {
  name: 'spawn-chunk',
  text: `
with chunk as (
  select body::json as body, first_index
  from dataset_chunk
  where dataset_id = $3
    and first_index = $4
), items as (
  select x.item::text as item, chunk.first_index + x.n::integer - 1 as item_index
  from chunk, json_array_elements(chunk.body) with ordinality x (item, n)
  where chunk.first_index + x.n - 1 >= $7
    and chunk.first_index + x.n - 1 < $7 + $8
), born as (
  insert into execution (id, fan_out_id, version_id, seq, state, priority, input)
  select ($2 || lpad(to_hex(item_index), 8, '0'))::uuid, $1, $5, 1, 'pending', $6, item
  from items
  on conflict (id) do nothing
  returning id
), facts as (
  insert into event (execution_id, seq, kind)
  select id, 1, 'created'
  from born
)
update fan_out
set spawned = spawned + (select count(*)::integer from items),
    attached = attached + (select count(*)::integer from items) - (select count(*)::integer from born),
    moved_at = now()
where id = $1
  and spawned = $7
  and not sealed
  and not closed
returning spawned, attached`,
};
