import type { Statement } from '../../database/database.js';
import { claim, executionsLocked } from './claim-handout.fragment.js';

/** For a hand-out that is a range of ids, of executions of several nodes. */
export const claimRangeLocked: Statement = {
  name: 'claim-range-locked',
  text: claim('t.execution_id between (select first_id from h) and (select last_id from h)', executionsLocked),
};
