import type { Statement } from '../../database/database.js';

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
