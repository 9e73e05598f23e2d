import { hasPlace } from '../open-child.fragment.js';

/** What the children of fan-out `f` say: how many there are of each kind, and how many have a place. */
export const counts = `
select count(*) filter (where e.state = 'succeeded')::integer as succeeded,
       count(*) filter (where e.state = 'failed')::integer as failed,
       count(*) filter (where e.state = 'cancelled')::integer as cancelled,
       count(*) filter (where e.state = 'paused')::integer as paused,
       count(*) filter (where ${hasPlace('e')})::integer as open
from execution e
where e.id between fan_out_first_child(f.root_id, f.id) and fan_out_last_child(f.root_id, f.id)`;
