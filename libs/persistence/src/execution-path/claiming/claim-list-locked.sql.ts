import type { Statement } from '../../database/database.js';
import { claim, executionsLocked } from './claim-handout.fragment.js';

/** For a hand-out that is a list of ids, of executions of several nodes. */
export const claimListLocked: Statement = {
  name: 'claim-list-locked',
  text: claim('t.execution_id = any ((select ids from h)::uuid[])', executionsLocked),
};
