import type { Statement } from '../database/database.js';
import { executionFrom } from '../database/moves.js';

/** Open children of a range in item order, locked. $1 first and $2 last id, $3 most. */
export const lockVictims: Statement = {
  name: 'lock-victims',
  text: `
select id
from execution
where id between $1 and $2
  and state = ${executionFrom('cancel')}
order by id
limit $3
for update`,
};
