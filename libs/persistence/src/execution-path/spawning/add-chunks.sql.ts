import type { Statement } from '../../database/database.js';

/** Parts of a list, and how much it has by now. $1 list, $2 first indexes, $3 counts, $4 bodies. */
export const addChunks: Statement = {
  name: 'add-chunks',
  text: `
with added as (
  insert into dataset_chunk (dataset_id, first_index, item_count, body)
  select $1, *
  from unnest($2::integer[], $3::integer[], $4::text[])
  on conflict do nothing
  returning octet_length(body) as bytes
)
update dataset
set bytes = bytes + (select coalesce(sum(added.bytes), 0) from added)
where id = $1`,
};
