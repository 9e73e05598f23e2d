import type { Statement } from '../database/database.js';
import { triggerColumns } from './trigger-columns.js';

/** Triggers by name. $1 after this name, null from the start. $2 at most so many. $3 only this one, or null. */
export const listTriggers: Statement = {
  name: 'list-triggers',
  text: `
select ${triggerColumns}
from trigger t
where ($1::text is null or t.name > $1 collate "C")
  and ($3::text is null or t.name = $3)
order by t.name collate "C"
limit $2`,
};
