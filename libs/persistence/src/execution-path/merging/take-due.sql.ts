import type { Statement } from '../../database/database.js';

/**
 * Takes fan-outs off the due list: only once their tallies are locked. Whoever moves a tally marks the fan-out due behind
 * the tally's lock, so a mark is either taken here together with what it stands for, or made after this commit.
 * $1 fan-outs.
 */
export const takeDue: Statement = {
  name: 'take-due',
  text: `
delete from fan_out_due
where fan_out_id = any ($1::bigint[])`,
};
