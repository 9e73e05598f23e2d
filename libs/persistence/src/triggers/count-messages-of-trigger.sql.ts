import type { Statement } from '../database/database.js';

/**
 * Adds to what a trigger has seen. $1 trigger, $2 received, $3 started, $4 duplicates, $5 refused, $6 what keeps it from going on (JSON
 * text) or null, $7 whether what kept it is over.
 */
export const countMessagesOfTrigger: Statement = {
  name: 'count-messages-of-trigger',
  text: `
update trigger
set received = received + $2,
    started = started + $3,
    duplicates = duplicates + $4,
    refused = refused + $5,
    last_error = case when $6::text is not null then $6 when $7 then null else last_error end
where id = $1`,
};
