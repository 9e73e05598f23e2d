import type { Statement } from '../../database/database.js';

/** Claims a hand-out of one task in one round trip, which is its transaction: the function of the same name says how. */
export const claimAtOnce: Statement = {
  name: 'claim-at-once',
  text: `
select id, node, attempt, fencing_token, charged, losses, input, item, item_key, labels, batch_id
from claim_at_once(${Array.from({ length: 10 }, (_, i) => `$${i + 1}`).join(', ')})`,
};
