import type { Statement } from '../../database/database.js';

/**
 * After a claim that took only a part: the hand-out keeps what is left, or is gone when nothing is.
 * Parameters: $1 hand-out, $2 ids that were claimed (in id order).
 * A range goes on behind the last of them: one that comes back is handed out anew, and must not take the place of another here.
 * Returns the hand-out with its new size; zero rows: nothing is left.
 */
export const shrinkHandout: Statement = {
  name: 'shrink-handout',
  text: `
with gone as (
  delete from handout
  where id = $1
    and size <= cardinality($2::uuid[])
)
update handout
set size = size - cardinality($2::uuid[]),
    ids = (select array_agg(i order by i) from unnest(ids) i where i <> all ($2::uuid[])),
    first_id = case when first_id is null then null else coalesce((
      select t.execution_id
      from task t
      where t.execution_id > ($2::uuid[])[cardinality($2::uuid[])]
        and t.execution_id <= last_id
      order by t.execution_id
      limit 1
    ), last_id) end,
    next_check_at = now() + interval '3 seconds'
where id = $1
  and size > cardinality($2::uuid[])
returning id, size`,
};
