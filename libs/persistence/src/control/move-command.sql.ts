import type { Statement } from '../database/database.js';

/** $1 command, $2 next fan-out, $3 position, $4 rows moved by this turn. */
export const moveCommand: Statement = {
  name: 'move-command',
  text: `
update control
set next_fan_out = $2,
    position = $3,
    moved = moved + $4
where id = $1`,
};
