import type { Statement } from '../../database/database.js';

/** Locks control rows of fan-outs (their parents are locked before, their tallies after). $1 fan-outs (ascending). */
export const lockDue: Statement = {
  name: 'lock-due',
  text: `
select id, parent_id, root_id, node, merge_node, child_version_id, child_path, round, generation, verdict, sealed, superseded or (closed and cancelled_at is null) as closed, cancelled_at is not null as cancelled, spawned, total, tolerance, released, stage, stage_hold,
       (select count(*)::integer from control c where c.fan_out_id = fan_out.id and c.kind = 'redrive') as held
from fan_out
where id = any ($1::bigint[])
order by id
for update`,
};
