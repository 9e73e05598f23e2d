import type { Statement } from '../../database/database.js';
import { peek } from './peek-handout.fragment.js';

/** For a hand-out that is a range of ids. */
export const peekRange: Statement = {
  name: 'peek-range',
  text: peek('t.execution_id between (select first_id from h) and (select last_id from h)'),
};
