import type { Statement } from '../../database/database.js';

export const keysChecked: Statement = {
  name: 'keys-checked',
  text: `
update fan_out
set keys_checked = true
where id = $1`,
};
