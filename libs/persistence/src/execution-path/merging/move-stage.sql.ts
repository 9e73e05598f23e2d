import type { Statement } from '../../database/database.js';

/** Where a fan-out is within its stages. $1 fan-out (its row is locked), $2 stage, $3 released children, $4 what holds it, $5 failures that stopped it. */
export const moveStage: Statement = {
  name: 'move-stage',
  text: `
update fan_out
set stage = $2,
    released = $3,
    stage_hold = $4::stage_hold,
    stage_failed = $5
where id = $1`,
};
