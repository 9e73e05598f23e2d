import type { Statement } from '../../database/database.js';

/** Of which fan-outs no more children are started, for whoever asks why. $1 fan-outs, $2 those among them. */
export const noteBacklog: Statement = {
  name: 'note-backlog',
  text: `
update fan_out_admission
set backlogged = fan_out_id = any ($2::bigint[])
where fan_out_id = any ($1::bigint[])
  and backlogged <> (fan_out_id = any ($2::bigint[]))`,
};
