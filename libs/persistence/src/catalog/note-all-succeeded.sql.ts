import type { Statement } from '../database/database.js';

/**
 * Fan-outs all of whose children have succeeded need not be counted again: nothing re-opens a child that has succeeded. The others
 * stay to be counted, as a retry or a redrive opens their children at any time. $1 int: at most so many.
 */
export const noteAllSucceeded: Statement = {
  name: 'note-all-succeeded',
  text: `
with found as (
  select f.id
  from fan_out f
  join fan_out_tally t on t.fan_out_id = f.id
  where not f.all_succeeded
    and f.sealed
    and t.succeeded = f.spawned
  order by f.id
  limit $1
  for update of f skip locked
)
update fan_out f
set all_succeeded = true
from found
where f.id = found.id`,
};
