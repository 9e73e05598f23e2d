import type { Statement } from '../../database/database.js';

/**
 * After a claim that took only a part: the hand-out keeps what is left, or is gone when nothing is.
 * Parameters: $1 hand-out, $2 ids that were claimed (in id order).
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
    first_id = case when first_id is null then null else ($2::uuid[])[cardinality($2::uuid[])] end,
    next_check_at = now() + interval '3 seconds'
where id = $1
  and size > cardinality($2::uuid[])
returning id, size`,
};

/** The hand-out waits for a destination: it is ready without a message. $1 hand-out, $2 destination. */
export const waitForDestination: Statement = {
  name: 'wait-for-destination',
  text: `
insert into destination_wait (destination_id, handout_id)
select $2, id
from handout
where id = $1
  and not exists (select from destination_wait where handout_id = $1)`,
};

/** Destinations in force for a claim, locked in id order before their holders are counted. $1 names and \`host:…\` names. */
export const lockDestinations: Statement = {
  name: 'lock-destinations',
  text: `
select id, name, host, least(max_concurrency, ramp) as "limit", coalesce(throttled_until > now(), false) as throttled
from destination
where name = any ($1::text[])
   or 'host:' || host = any ($1::text[])
order by id
for update`,
};

/** Holders of each destination. $1 destinations. */
export const countHolders: Statement = {
  name: 'count-holders',
  text: `
select d.id, (select count(*)::integer from destination_holder h where h.destination_id = d.id) as held
from unnest($1::integer[]) d (id)`,
};

/** Outputs and states of upstream nodes that a task's templates read. $1 executions, $2 nodes. */
export const readUpstream: Statement = {
  name: 'read-upstream',
  text: `
select execution_id, node, state, output
from task
where execution_id = any ($1::uuid[])
  and node = any ($2::smallint[])`,
};
