/** A fan-out as its spawner needs it. $1 fan-out. Zero rows: there is nothing to spawn any more. */
export const columns = `
select f.id, f.parent_id, f.root_id, f.node, f.generation, f.priority, f.child_version_id, f.child_path, f.child_node, f.total,
       f.list_id, f.list_frozen, f.keyed, f.keys_checked, f.spawned, f.sealed, f.closed, f.within_quota, f.deferred_until, a.cursor as admitted,
       p.version_id as parent_version_id, p.fan_out_id as parent_fan_out_id,
       greatest(marked_lineage(f.parent_id), (select m.kind from mark m where m.execution_id = f.parent_id and m.fan_out_id = f.id)) as mark
from fan_out f
join fan_out_admission a on a.fan_out_id = f.id
join execution p on p.id = f.parent_id`;
