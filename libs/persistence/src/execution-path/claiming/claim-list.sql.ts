import type { Statement } from '../../database/database.js';
import { claim } from './claim-handout.fragment.js';

/** For a hand-out that is a list of ids, of executions of one node each. */
export const claimList: Statement = {
  name: 'claim-list',
  text: claim('t.execution_id = any ((select ids from h)::uuid[])', ''),
};
