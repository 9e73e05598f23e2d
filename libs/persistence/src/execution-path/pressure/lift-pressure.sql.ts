import type { Statement } from '../../database/database.js';

/** What an operator held back may begin. Zero rows: nobody held anything back. */
export const liftPressure: Statement = {
  name: 'lift-pressure',
  text: `delete from pressure where kind = 'OPERATOR' returning kind`,
};
