import type { Statement } from '../database/database.js';

/** $1 fan-outs. */
export const deleteFanOuts: Statement = {
  name: 'delete-fan-outs',
  text: `
with keys as (
  delete from item_key
  where fan_out_id = any ($1::bigint[])
), handouts as (
  delete from handout
  where fan_out_id = any ($1::bigint[])
), due as (
  delete from fan_out_due
  where fan_out_id = any ($1::bigint[])
), lists as (
  delete from dataset d
  using fan_out f
  where f.id = any ($1::bigint[])
    and d.id = f.list_id
    and d.internal
)
delete from fan_out
where id = any ($1::bigint[])`,
};
