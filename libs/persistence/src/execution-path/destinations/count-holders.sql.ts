import type { Statement } from '../../database/database.js';
import { placesHeld } from './places.fragment.js';

/** Holders of each destination, and the moment at which they were counted, in milliseconds. $1 destinations. */
export const countHolders: Statement = {
  name: 'count-holders',
  text: `
select d.id,
       ${placesHeld('d.id')} as held,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as now
from unnest($1::integer[]) d (id)`,
};
