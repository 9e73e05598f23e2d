import type { Statement } from '../database/database.js';

/** $1 fan-out. */
export const deleteFanOut: Statement = {
  name: 'delete-fan-out',
  text: `
with keys as (
  delete from item_key
  where fan_out_id = $1
), handouts as (
  delete from handout
  where fan_out_id = $1
), due as (
  delete from fan_out_due
  where fan_out_id = $1
), lists as (
  delete from dataset d
  using fan_out f
  where f.id = $1
    and d.id = f.list_id
    and d.internal
)
delete from fan_out
where id = $1`,
};
