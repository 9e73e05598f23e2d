import type { Statement } from '../../database/database.js';
import { chargeRates } from './charge.fragment.js';

/** What was started counts against rates. $1 destinations, $2 states of their rates, $3 milliseconds until there is room again. */
export const chargeDestinations: Statement = {
  name: 'charge-destinations',
  text: chargeRates('$1', '$2', '$3').trim(),
};
