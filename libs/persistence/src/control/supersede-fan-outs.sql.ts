import type { Statement } from '../database/database.js';

/**
 * Fan-outs of spawners that run again make room for the next generation; what is open in them is cancelled.
 * $1 execution, $2 spawners. Returns the fan-outs.
 */
export const supersedeFanOuts: Statement = {
  name: 'supersede-fan-outs',
  text: `
update fan_out
set superseded = true,
    closed = not sealed
where parent_id = $1
  and node = any ($2::smallint[])
  and not superseded
returning id, root_id, round`,
};
