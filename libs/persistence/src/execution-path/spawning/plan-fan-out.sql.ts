import type { Statement } from '../../database/database.js';

/**
 * Creates the fan-outs that spawner tasks begin, each with its tally and its place in admission.
 *
 * Parameters: $1 JSON array of {parent_id, root_id, node, merge_node, depth, priority, child_version_id,
 * child_path, child_node, queue, destinations, max_concurrency, keyed, closed, verdict, verdict_reason, released}; \`released\` is 0 where
 * stages release the children; such a fan-out is due at once, and so is one that was refused, as its parent must hear of it.
 * Each evaluation of a spawner is the next generation; the event sequence of the parent guards against a second one (I1).
 */
export const planFanOuts: Statement = {
  name: 'plan-fan-outs',
  text: `
with planned as (
  insert into fan_out (parent_id, root_id, node, merge_node, generation, depth, priority, child_version_id, child_path, child_node,
                       queue, destinations, max_concurrency, keyed, closed, verdict, verdict_reason, released)
  select parent_id, root_id, node, merge_node,
         coalesce((select max(f.generation) from fan_out f where f.parent_id = x.parent_id and f.node = x.node), 0) + 1,
         depth, priority, child_version_id, child_path, child_node,
         queue, destinations, max_concurrency, keyed, closed, verdict::merge_verdict, verdict_reason, released
  from json_to_recordset($1::json) x (parent_id uuid, root_id uuid, node smallint, merge_node smallint, depth smallint,
    priority smallint, child_version_id integer, child_path smallint[], child_node smallint, queue text, destinations text[],
    max_concurrency integer, keyed boolean, closed boolean, verdict text, verdict_reason text, released integer)
  on conflict (parent_id, node, generation) do nothing
  returning id, queue, parent_id, released, closed
), admission as (
  insert into fan_out_admission (fan_out_id, queue)
  select id, coalesce(queue, '')
  from planned
), tally as (
  insert into fan_out_tally (fan_out_id)
  select id
  from planned
), due as (
  insert into fan_out_due (fan_out_id)
  select id
  from planned
  where released is not null
     or closed
)
select id, parent_id
from planned`,
};
