import type { Statement } from '../../database/database.js';
import { claim } from './claim-handout.fragment.js';

/** For a hand-out that is a range of ids, of executions of one node each. */
export const claimRange: Statement = {
  name: 'claim-range',
  text: claim('t.execution_id between (select first_id from h) and (select last_id from h)', ''),
};
