import type { Statement } from '../../database/database.js';

/**
 * Settles recorded batches of one top-level execution in one round trip: the function of the same name says how. A
 * transaction of its own: what it throws has changed nothing.
 */
export const settleAtOnce: Statement = {
  name: 'settle-at-once',
  text: `select settle_at_once(${Array.from({ length: 49 }, (_, i) => `$${i + 1}`).join(', ')}) as handouts`,
};
