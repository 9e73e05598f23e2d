import type { Statement } from '../../database/database.js';

/** The list is frozen. $1 fan-out, $2 list, $3 number of items (null: not known yet), $4 whether it is complete. */
export const freezeList: Statement = {
  name: 'freeze-list',
  text: `
update fan_out
set list_id = $2,
    total = $3,
    list_frozen = $4,
    moved_at = now()
where id = $1
  and not list_frozen
  and not sealed
  and not closed`,
};
