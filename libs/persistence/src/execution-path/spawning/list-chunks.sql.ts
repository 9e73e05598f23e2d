import type { Statement } from '../../database/database.js';

/** The chunk that holds an item. $1 list, $2 item index. Zero rows: the list ends before it. */
export const chunkAt: Statement = {
  name: 'chunk-at',
  text: `
select first_index, item_count, body
from dataset_chunk
where dataset_id = $1
  and first_index <= $2
order by first_index desc
limit 1`,
};

/** The borders of chunks from an item on, without their bodies. $1 list, $2 item index, $3 most chunks. */
export const chunkBorders: Statement = {
  name: 'chunk-borders',
  text: `
select first_index, item_count
from dataset_chunk
where dataset_id = $1
  and first_index + item_count > $2
order by first_index
limit $3`,
};

/** Creates an internal list. $1 id, $2 name, $3 number of items, $4 whether it is complete. */
export const createList: Statement = {
  name: 'create-list',
  text: `
insert into dataset (id, name, format, item_count, complete, internal)
values ($1, $2, 'json', $3, $4, true)
on conflict (id) do nothing`,
};

/** $1 list, $2 first indexes, $3 counts, $4 bodies. */
export const addChunks: Statement = {
  name: 'add-chunks',
  text: `
insert into dataset_chunk (dataset_id, first_index, item_count, body)
select $1, *
from unnest($2::integer[], $3::integer[], $4::text[])
on conflict do nothing`,
};

export const findDataset: Statement = {
  name: 'find-dataset',
  text: `
select id, item_count, complete
from dataset
where id = $1
  and complete`,
};

/** A dataset is in use by an execution and cannot be deleted. $1 dataset, $2 top-level execution. */
export const useDataset: Statement = {
  name: 'use-dataset',
  text: `
insert into dataset_use (dataset_id, execution_id)
values ($1, $2)
on conflict do nothing`,
};

/**
 * Claims item keys for a range of items. $1 fan-out, $2 sha-256 of the keys, $3 item indexes.
 * Returns the positions that an equal key stands at already (another index than its own).
 */
export const claimKeys: Statement = {
  name: 'claim-keys',
  text: `
with wanted as (
  select x.sha256, min(x.item_index) as item_index, (array_agg(x.item_index order by x.item_index))[2] as again
  from unnest($2::bytea[], $3::integer[]) x (sha256, item_index)
  group by x.sha256
), taken as (
  insert into item_key (fan_out_id, sha256, item_index)
  select $1, sha256, item_index
  from wanted
  on conflict do nothing
)
select k.item_index as first_index, w.item_index as second_index
from wanted w
join item_key k on k.fan_out_id = $1 and k.sha256 = w.sha256
where k.item_index <> w.item_index
union all
select item_index, again
from wanted
where again is not null
order by 2
limit 1`,
};

export const keysChecked: Statement = {
  name: 'keys-checked',
  text: `
update fan_out
set keys_checked = true
where id = $1`,
};
