import type { Statement } from '../database/database.js';
import { triggerColumns } from './trigger-columns.js';

/** All triggers whose queues are to be consumed. */
export const enabledTriggers: Statement = {
  name: 'enabled-triggers',
  text: `
select ${triggerColumns}
from trigger t
where t.enabled
order by t.id`,
};
