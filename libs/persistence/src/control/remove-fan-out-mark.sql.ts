import type { Statement } from '../database/database.js';

/** $1 parent, $2 fan-out, $3 kind. Zero rows: it has none of that kind. */
export const removeFanOutMark: Statement = {
  name: 'remove-fan-out-mark',
  text: `
delete from mark
where execution_id = $1
  and fan_out_id = $2
  and kind = $3::mark_kind
returning kind`,
};
