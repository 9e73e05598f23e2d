import type { Statement } from '../../database/database.js';
import { peek } from './peek-handout.fragment.js';

/** For a hand-out that is a list of ids. */
export const peekList: Statement = {
  name: 'peek-list',
  text: peek('t.execution_id = any ((select ids from h)::uuid[])'),
};
